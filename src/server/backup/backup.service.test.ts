import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fillEveryTable } from '#tests/support/any-rows.ts'
import { countedRows, dumpDatabase, openTestDatabase, testEngine } from '#tests/support/test-database.ts'
import { NOW } from '#tests/support/use-test-database.ts'
import { readConfig, type Config } from '../config/config.ts'
import type { Database } from '../db/database.ts'
import { matchesWords } from '../db/full-text.ts'
import { migrate, migrateWithin } from '../db/migrate.ts'
import { openDatabase } from '../db/open-database.ts'
import { listTables } from '#server/db/schema/tables.ts'
import { withBackupLock } from './backup-lock.ts'
import { writeChecked } from './checked-file.ts'
import { makeBackup } from './make-backup.ts'
import { writeManifest, type Manifest } from './manifest.ts'
import { restoreBackup } from './restore-backup.ts'

const quiet = { debug() {}, info() {}, warn() {}, error() {} }
const isSqlite = testEngine === 'sqlite'
const DAY_MS = 86_400_000
let folder = ''
let backups = ''
let open: Database[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'association-backup-'))
  backups = join(folder, 'backups')
})
afterEach(async () => {
  for (const database of open) await database.close()
  open = []
  rmSync(folder, { recursive: true, force: true })
})

/** A machine: a data directory and, on SQLite, a database file in it. */
function machine(name: string): Config {
  const settings = { DATA_DIR: join(folder, name), STANDINS_URL: 'http://127.0.0.1:9', BACKUP_DIR: '' }
  mkdirSync(settings.DATA_DIR)
  return readConfig(isSqlite ? settings : { ...settings, DATABASE_URL: 'postgres://given.by.the.test/x' })
}

async function openOn(config: Config): Promise<Database> {
  const database = isSqlite ? openDatabase(config.databaseUrl, quiet) : await openTestDatabase()
  open.push(database)
  return database
}

async function close(database: Database): Promise<void> {
  open = open.filter((one) => one !== database)
  await database.close()
}

const back = (config: Config, database: Database, now = NOW) =>
  makeBackup({ config, database, directory: backups, keep: 14, now })

/** On PostgreSQL, restores into a database held by the test, so that it can be inspected afterward. */
function restore(config: Config, { path = backups, replace = false, into = null as Database | null, now = NOW } = {}) {
  const openTarget = () => ({ ...(into as Database), close: async () => {} })
  return restoreBackup({ config, path, replace, clock: { now: () => now, close() {} }, say() {}, openTarget })
}

async function sorted(database: Database): Promise<unknown> {
  const tables = JSON.parse(await dumpDatabase(database)) as [string, object[]][]
  return (
    tables
      // The tables of SQLite's full-text index may differ: the search is tested below.
      .filter(([name]) => !/^(campaign_search_|sqlite_)/.test(name))
      .map(([name, rows]) => [name, rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort()])
      .sort()
  )
}

/** A machine with rows in every table, a picture and a session secret. */
async function makeSite(upTo?: string): Promise<{ config: Config; database: Database }> {
  const config = machine('old')
  const database = await openOn(config)
  await database.db.transaction().execute((tx) => migrateWithin(tx, database.engine, NOW, upTo))
  await fillEveryTable(database)
  await database.db.updateTable('job').set({ leasedUntil: null }).execute()
  writeFileSync(join(config.dataDirectory, 'session-secret'), 'a secret of the old machine, of fair length')
  mkdirSync(join(config.dataDirectory, 'media/home/gallery'), { recursive: true })
  writeFileSync(join(config.dataDirectory, 'media/home/gallery/Diya & lamp.jpg'), 'a picture')
  return { config, database }
}

test('every row of every table, media and the secret are restored on an empty machine', async () => {
  const { config, database } = await makeSite()
  const before = await sorted(database)
  expect(before).toHaveLength((await listTables(database.db)).length)
  for (const [, rows] of before as [string, string[]][]) expect(rows.length).toBeGreaterThanOrEqual(2)
  const { path, manifest } = await back(config, database)
  expect(path).toBe(join(backups, '2030-06-15T12-00-00Z'))
  for (const name of readdirSync(path).filter((one) => one !== 'media'))
    expect(statSync(join(path, name)).mode & 0o777).toBe(0o600)
  for (const one of [backups, path, join(path, 'media')]) expect(statSync(one).mode & 0o777).toBe(0o700)
  await close(database)

  const fresh = machine('new')
  const into = isSqlite ? null : await openOn(fresh)
  const restored = await restore(fresh, { into })
  expect(restored).toMatchObject({ tables: manifest.tables, secret: 'restored', aside: null })
  expect(restored.media).toEqual({ added: 1, present: 0 })
  const after = into ?? (await openOn(fresh))
  expect(await sorted(after)).toEqual(before)
  if (!isSqlite) expect(await countedRows(after, 'account')).toBeGreaterThanOrEqual(2)
  const found = await after.db
    .selectFrom('campaignSearch')
    .select('campaignId')
    .where(matchesWords(after.db, ['quot']))
    .execute()
  expect(found).toHaveLength(2)
  expect(readFileSync(join(fresh.dataDirectory, 'media/home/gallery/Diya & lamp.jpg'), 'utf8')).toBe('a picture')
  expect(readFileSync(join(fresh.dataDirectory, 'session-secret'), 'utf8')).toBe(
    'a secret of the old machine, of fair length',
  )
  expect(statSync(join(fresh.dataDirectory, 'session-secret')).mode & 0o777).toBe(0o600)
})

test('sessions, links and mailings do not resume after a restore', async () => {
  const { config, database } = await makeSite()
  const { db } = database
  await db.updateTable('session').set({ revokedAt: null }).execute()
  await db
    .updateTable('job')
    .set({ leasedUntil: NOW + DAY_MS })
    .execute()
  await db.updateTable('mailing').set({ state: 'sending' }).execute()
  await db.updateTable('oneTimeToken').set({ purpose: 'password_reset', usedAt: null }).execute()
  await back(config, database)
  await close(database)
  const fresh = machine('new')
  const into = isSqlite ? null : await openOn(fresh)
  await restore(fresh, { into })
  const after = (into ?? (await openOn(fresh))).db
  expect(await after.selectFrom('session').select('revokedAt').distinct().execute()).toEqual([{ revokedAt: NOW }])
  expect(await after.selectFrom('job').select('leasedUntil').distinct().execute()).toEqual([{ leasedUntil: null }])
  expect(await after.selectFrom('mailing').select('state').distinct().execute()).toEqual([{ state: 'paused' }])
  expect(await after.selectFrom('oneTimeToken').select('usedAt').distinct().execute()).toEqual([{ usedAt: NOW }])
})

test('a backup of an older release is migrated', async () => {
  const { config, database } = await makeSite('0006-newsletter')
  const { manifest } = await back(config, database)
  expect(manifest.schema).toBe('0006-newsletter')
  await close(database)
  const fresh = machine('new')
  const into = isSqlite ? null : await openOn(fresh)
  const { tables } = await restore(fresh, { into })
  expect(tables).toMatchObject({ account: 2, subscriber: 2, campaign: 0, credential: 0 })
  expect(await migrate(into ?? (await openOn(fresh)), NOW)).toEqual([])
})

// Earlier releases stored the search texts of members in it.
test.skipIf(isSqlite)('a backup with rows of a table that triggers fill now is restored', async () => {
  const { config, database } = await makeSite('0064-long-lists')
  const { path, manifest } = await back(config, database)
  await close(database)
  const name = 'account_search.jsonl.gz'
  const row = Buffer.from('{"account_id":"row 1","words":"a name"}\n')
  const file = { path: name, ...(await writeChecked(join(path, name), [row], { gzip: true })) }
  for (const list of ['manifest.json', 'SHA256SUMS']) rmSync(join(path, list))
  const tables = { ...manifest.tables, account_search: 1 }
  await writeManifest(path, { ...manifest, tables, files: [...manifest.files, file] })
  const into = await openOn(machine('new'))
  const restored = await restore(config, { into })
  expect(restored.tables).toMatchObject({ account: 2, membership: 2 })
  const listed = await into.db.selectFrom('listedMember').select('holdsUntil').execute()
  expect(listed).toEqual([{ holdsUntil: 0 }, { holdsUntil: 0 }])
})

test('unchanged pictures share their bytes with the previous backup, unless those are damaged', async () => {
  const { config, database } = await makeSite()
  const [first, second, third] = [0, 1, 2].map((day) => NOW + day * DAY_MS)
  const inodeOf = (path: string, sha256 = '') => statSync(join(path, 'media', sha256)).ino
  const one = await back(config, database, first)
  const { sha256 } = one.manifest.media[0]!
  const two = await back(config, database, second)
  expect(inodeOf(two.path, sha256)).toBe(inodeOf(one.path, sha256))
  writeFileSync(join(two.path, 'media', sha256), 'a pictur3')
  const three = await back(config, database, third)
  expect(inodeOf(three.path, sha256)).not.toBe(inodeOf(two.path, sha256))
  expect(readFileSync(join(three.path, 'media', sha256), 'utf8')).toBe('a picture')
})

test('an incomplete backup is refused with the name of the file, and nothing is touched', async () => {
  const { config, database } = await makeSite()
  const { path, manifest } = await back(config, database)
  await close(database)
  const fresh = machine('new')
  const into = isSqlite ? null : await openOn(fresh)
  const packed = join(path, manifest.files[0]!.path)
  const picture = join(path, 'media', manifest.media[0]!.sha256)
  const list = join(path, 'manifest.json')
  const flip = (text: Buffer) => Buffer.from(text.map((byte, at) => (at === 20 ? byte ^ 1 : byte)))
  const cases: [string, string, ((bytes: Buffer) => Buffer) | null][] = [
    [packed, `The backup is damaged: ${packed} does not match its checksum. Use another one.`, flip],
    [packed, `The backup is incomplete: ${packed} is missing. Use another one.`, null],
    [
      picture,
      `The backup is damaged: ${picture} does not match its checksum. Use another one.`,
      () => Buffer.from('a pictur3'),
    ],
    [list, `The backup is damaged: ${list} does not match its checksum. Use another one.`, flip],
    [list, `${path} is not a complete backup: manifest.json is missing. Use another one.`, null],
  ]
  for (const [file, sentence, change] of cases) {
    const original = readFileSync(file)
    rmSync(file)
    if (change) writeFileSync(file, change(original))
    await expect(restore(fresh, { path, into })).rejects.toThrow(sentence)
    writeFileSync(file, original)
  }
  expect(readdirSync(fresh.dataDirectory).filter((name) => !name.startsWith('.'))).toEqual([])
  if (into) expect(await listTables(into.db)).toEqual([])
})

test('a database with data is refused, or moved aside on request', async () => {
  const { config, database } = await makeSite()
  await back(config, database)
  if (isSqlite) await close(database)
  const into = isSqlite ? null : database
  // The server is shared, and the schema name contains the second.
  const now = NOW + Math.floor(Math.random() * 1e9) * 1_000
  await expect(restore(config, { into })).rejects.toThrow(
    'The database is not empty. Restore into an empty one, or use --replace',
  )
  const { aside, media } = await restore(config, { into, replace: true, now })
  expect(aside).toMatch(/^before_restore_\d{8}t\d{6}z$/)
  expect(media).toEqual({ added: 1, present: 0 })
  if (into) {
    const { rows } = await sql<{
      count: number
    }>`select count(*) as count from ${sql.table(`${aside}.account`)}`.execute(into.db)
    expect(Number(rows[0]?.count)).toBe(2)
    await sql`drop schema ${sql.id(aside ?? '')} cascade`.execute(into.db)
  } else expect(existsSync(`${config.dataDirectory}/association.db.${aside}`)).toBe(true)
})

/** Lists every file below a folder with its content, except locks; databases by name only. */
function readFiles(directory: string): Record<string, unknown> {
  const names = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== '.backup-lock')
    .map((entry) => join(entry.parentPath, entry.name))
  return Object.fromEntries(names.sort().map((name) => [name, name.endsWith('.db') || readFileSync(name, 'utf8')]))
}

test('a restore that fails leaves the site unchanged', async () => {
  const { config, database } = await makeSite()
  const { path, manifest } = await back(config, database)
  // Valid checksums, but nothing that can be unpacked: fails halfway, like a full disk.
  const [packed] = manifest.files as [Manifest['files'][number]]
  for (const name of [packed.path, 'manifest.json', 'SHA256SUMS']) rmSync(join(path, name))
  const written = await writeChecked(join(path, packed.path), [Buffer.from('no gzip')])
  await writeManifest(path, { ...manifest, files: [{ ...packed, ...written }, ...manifest.files.slice(1)] })
  await database.db.updateTable('account').set({ firstName: 'Changed since' }).execute()
  const rows = await sorted(database)
  if (isSqlite) await close(database)
  const before = readFiles(config.dataDirectory)
  await expect(restore(config, { path, into: isSqlite ? null : database, replace: true })).rejects.toThrow(
    'incorrect header check',
  )
  expect(readFiles(config.dataDirectory)).toEqual(before)
  expect(await sorted(isSqlite ? await openOn(config) : database)).toEqual(rows)
})

test.runIf(isSqlite)('a damaged database is moved aside, and its log is not applied to the new one', async () => {
  const { config, database } = await makeSite()
  await back(config, database)
  await close(database)
  const file = join(config.dataDirectory, 'association.db')
  writeFileSync(file, 'no database any more')
  const first = await restore(config, { replace: true })
  expect(readFileSync(`${file}.${first.aside}`, 'utf8')).toBe('no database any more')
  rmSync(file)
  writeFileSync(`${file}-wal`, 'a log without its database')
  const second = await restore(config, { replace: true, now: NOW + 1_000 })
  expect(readFileSync(`${file}.${second.aside}-wal`, 'utf8')).toBe('a log without its database')
  expect(existsSync(`${file}.${second.aside}`)).toBe(false)
  const after = await openOn(config)
  expect(await after.db.selectFrom('account').select('id').execute()).toHaveLength(2)
  expect(readdirSync(config.dataDirectory).filter((name) => name.includes('restoring'))).toEqual([])
})

test('a concurrent backup is refused, and a killed one leaves nothing that looks like a backup', async () => {
  const { config, database } = await makeSite()
  mkdirSync(join(backups, '.unfinished-2030-06-14T12-00-00Z/media'), { recursive: true })
  await expect(restore(machine('new'), {})).rejects.toThrow(`There is no backup in ${backups}.`)
  const busy = `Another process is making or restoring a backup in ${backups}. Try again when it is done.`
  await withBackupLock([backups], async () => {
    await expect(back(config, database)).rejects.toThrow(busy)
  })
  const [one, two] = await Promise.allSettled([back(config, database), back(config, database, NOW + 1_000)])
  expect([one.status, two.status].sort()).toEqual(['fulfilled', 'rejected'])
  expect(readdirSync(backups).filter((name) => name !== '.backup-lock')).toHaveLength(1)
})

test.runIf(isSqlite)('the database of a running site is not overwritten', async () => {
  const { config, database } = await makeSite()
  await back(config, database)
  await expect(restore(config, { replace: true })).rejects.toThrow('A site is running on this database.')
  expect(await database.db.selectFrom('account').select('id').execute()).toHaveLength(2)
})
