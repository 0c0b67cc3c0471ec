import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { ContentRecord } from '#contract/console/content.ts'
import { migrate } from '#server/db/migrate.ts'
import { replaceLevels } from '#server/features/levels/level.commands.ts'
import { readContentFiles } from '#server/features/seed/content-files.service.ts'
import { SAMPLE_DIRECTORY } from '#server/config/profiles.ts'
import { makeFormerContent } from '#tests/support/content/former-content.ts'
import { officerWith } from '#tests/support/officers.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { openTestDatabase } from '#tests/support/test-database.ts'
import { NOW } from '#tests/support/use-test-database.ts'

test('after an upgrade the versions of a record are shown, and a former one can be restored', async () => {
  const database = await openTestDatabase()
  await makeFormerContent(database, NOW)
  await migrate(database, NOW)
  await replaceLevels(database.db, readContentFiles(SAMPLE_DIRECTORY).levels, randomUUID)
  await using app = await createTestApp({ database })
  const editor = await officerWith(app, ['editor'])
  const at = '/api/console/content/events/gala'
  const before = (await editor.get(at)).body as ContentRecord
  expect([before.state, before.title, before.value['location']]).toEqual(['changed', 'Gala', 'Duluth'])
  expect(before.revisions.map(({ number, action }) => [number, action])).toEqual([
    [3, 'draft'],
    [2, 'published'],
    [1, 'found'],
  ])
  expect(before.revisions[1]?.differences).toEqual([
    {
      field: 'Place',
      lines: [
        { change: 'removed', text: 'Macon' },
        { change: 'added', text: 'Duluth' },
      ],
    },
  ])
  const restored = await editor.post(`${at}/restore`, { number: 1, version: before.version })
  expect([restored.status, restored.body.state, restored.body.value.location]).toEqual([200, 'published', 'Macon'])
  expect(app.app.findDocument('/events/gala.ics')?.text).toContain('LOCATION:Macon')

  // What was imported before the upgrade becomes a version when it is changed.
  const fair = (await editor.get('/api/console/content/events/fair')).body as ContentRecord
  const value = { ...fair.value, location: 'Augusta' }
  const changed = { value, version: fair.version, action: 'publish' }
  const saved = (await editor.call('PUT', '/api/console/content/events/fair', changed)).body as ContentRecord
  expect(saved.revisions.map(({ action }) => action)).toEqual(['published', 'found', 'published'])
})
