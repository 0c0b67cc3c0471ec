import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readConfig } from '#server/config/config.ts'
import { PROFILES, profileDirectory } from '#server/config/profiles.ts'
import { listServedDocuments } from '#server/features/documents/document.queries.ts'
import { openPreparedDatabase } from '#tests/support/prepared-database.ts'
import { openTestDatabase } from '#tests/support/test-database.ts'
import { migrate } from '#server/db/migrate.ts'
import { addProfileDocuments } from './profile-documents.service.ts'
import { seedEmptyDatabase } from './seed.service.ts'

const NOW = Date.parse('2026-12-01T12:00:00Z')
const BYLAWS = 'bylaws-2023-03-07.pdf'
let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'association-documents-'))
})
afterEach(() => rmSync(folder, { recursive: true }))
const config = () => readConfig({ DATA_DIR: folder })

test('the document that a page of the sample association links to is in its library, once', async () => {
  await using database = closing(await openPreparedDatabase({ filling: 'words' }))
  const { db } = database
  await Promise.all([addProfileDocuments(db, config(), NOW), addProfileDocuments(db, config(), NOW)])
  await addProfileDocuments(db, config(), NOW)
  const served = await listServedDocuments(db)
  expect([...served.keys()]).toEqual([BYLAWS])
  const { storedName = '' } = served.get(BYLAWS) ?? {}
  expect(readdirSync(join(folder, 'media/home/documents'))).toContain(storedName)
})

test('another association gets no document of it', async () => {
  await using database = closing(await openTestDatabase())
  const { db } = database
  await migrate(database, NOW)
  await seedEmptyDatabase(db, { profile: 'engineers', now: NOW, timeZone: 'UTC', samples: null })
  await addProfileDocuments(db, config(), NOW)
  expect(await listServedDocuments(db)).toEqual(new Map())
  expect(existsSync(join(folder, 'media'))).toBe(false)
})

test('no file is served to every association with the build', () => {
  expect(existsSync(join(import.meta.dirname, '../../../../public/documents'))).toBe(false)
  const owners = PROFILES.filter((profile) => existsSync(join(profileDirectory(profile), 'documents')))
  expect(owners).toEqual(['physicians-georgia'])
})

function closing<T extends { close(): Promise<void> }>(database: T): T & AsyncDisposable {
  return { ...database, [Symbol.asyncDispose]: () => database.close() }
}
