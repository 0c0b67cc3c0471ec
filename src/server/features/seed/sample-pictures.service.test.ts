import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { useTestDatabase } from '#tests/support/use-test-database.ts'
import { readConfig } from '#server/config/config.ts'
import { listRecords } from '#server/features/content-store/content.queries.ts'
import { forumKind } from '#server/features/content-store/kinds/people.kinds.ts'
import { listDescriptions } from '#server/features/media/picture-description.queries.ts'
import { createMediaStore } from '#server/media-store/create-media-store.ts'
import { addSamplePictures } from './sample-pictures.service.ts'

const db = useTestDatabase({ seeded: true })
let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'association-samples-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('a new data folder gets sample pictures with captions, and a portrait of each officer of the forum', async () => {
  const config = readConfig({ DATA_DIR: folder })
  await addSamplePictures(db(), config)
  const store = createMediaStore(config)
  const names = async (...[bucket, directory]: Parameters<typeof store.list>) =>
    (await store.list(bucket, directory)).map(({ filename }) => filename)
  expect(await names('home', 'hero')).toHaveLength(4)
  expect(await names('clinic', 'hero')).toEqual(['the-open-door-of-the-clinic.svg'])
  expect(await names('exec', 'team')).toEqual([
    'president-elect.svg',
    'president.svg',
    'secretary.svg',
    'treasurer.svg',
  ])
  const descriptions = await listDescriptions(db())
  for (const name of await names('home', 'gallery'))
    expect(descriptions.get(`home/gallery/${name}`)?.caption, name).toMatch(/\w/)
  const [forum] = await listRecords(db(), forumKind)
  const people = [...descriptions.values()].flatMap(({ person }) => (person ? [person.name] : []))
  expect(people.sort()).toEqual((forum?.value.team ?? []).map(({ name }) => name).sort())
})

test('deleted sample pictures are not added again', async () => {
  const config = readConfig({ DATA_DIR: folder })
  await addSamplePictures(db(), config)
  rmSync(join(folder, 'media', 'clinic', 'hero', 'the-open-door-of-the-clinic.svg'))
  await addSamplePictures(db(), config)
  expect(await createMediaStore(config).list('clinic', 'hero')).toEqual([])
})

test.each([{ production: true }, { profile: 'engineers' as const }])('%o gets no sample pictures', async (other) => {
  const config = { ...readConfig({ DATA_DIR: folder }), ...other }
  await addSamplePictures(db(), config)
  expect(await createMediaStore(config).list('home', 'gallery')).toEqual([])
  expect((await listDescriptions(db())).size).toBe(0)
})
