import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readConfig } from '#server/config/config.ts'
import { migrate } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open-database.ts'
import { restoreBackup } from './restore-backup.ts'
import type * as sqliteBackup from './sqlite-backup.ts'

const NOW = Date.UTC(2030, 5, 15, 12)
const quiet = { debug() {}, info() {}, warn() {}, error() {} }

function machine(folder: string, name: string) {
  const directory = join(folder, name)
  mkdirSync(join(directory, 'media/home/gallery'), { recursive: true })
  return readConfig({ DATA_DIR: directory, STANDINS_URL: 'http://127.0.0.1:9', BACKUP_DIR: '' })
}

test('every picture that exists when the database is copied is restored, whatever officers change meanwhile', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'association-meanwhile-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const config = machine(folder, 'old')
  const picture = (name: string, of = config) => join(of.dataDirectory, 'media/home/gallery', name)
  for (const name of ['kept.jpg', 'deleted-after.jpg', 'changed-after.jpg'])
    writeFileSync(picture(name), `before: ${name}`)
  const database = openDatabase(config.databaseUrl, quiet)
  await migrate(database, NOW)
  const { backUpSqlite: copy } = await vi.importActual<typeof sqliteBackup>('./sqlite-backup.ts')
  const backUpSqlite: typeof copy = async (file, directory) => {
    // Added and referenced in the database while older pictures were copied.
    writeFileSync(picture('added-before.jpg'), 'before: added-before.jpg')
    const part = await copy(file, directory)
    // Only the copy of the database still references it.
    rmSync(picture('deleted-after.jpg'))
    writeFileSync(picture('changed-after.jpg'), 'after, and longer: changed-after.jpg')
    return part
  }
  // Other files of this worker have loaded the modules already.
  vi.resetModules()
  vi.doMock('./sqlite-backup.ts', async (original) => ({ ...(await original<typeof sqliteBackup>()), backUpSqlite }))
  onTestFinished(() => {
    vi.doUnmock('./sqlite-backup.ts')
    vi.resetModules()
  })
  const { makeBackup } = await import('./make-backup.ts')
  const { manifest } = await makeBackup({ config, database, directory: join(folder, 'backups'), keep: 14, now: NOW })
  await database.close()
  const names = ['added-before.jpg', 'changed-after.jpg', 'deleted-after.jpg', 'kept.jpg']
  expect(manifest.media.map(({ path }) => path.slice('home/gallery/'.length)).sort()).toEqual(names)

  const fresh = machine(folder, 'new')
  const restored = await restoreBackup({
    config: fresh,
    path: join(folder, 'backups'),
    replace: false,
    clock: { now: () => NOW, close() {} },
    say() {},
  })
  expect(restored.media).toEqual({ added: 4, present: 0 })
  for (const name of names) expect(existsSync(picture(name, fresh)), name).toBe(true)
  expect(readFileSync(picture('deleted-after.jpg', fresh), 'utf8')).toBe('before: deleted-after.jpg')
})
