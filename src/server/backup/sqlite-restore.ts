import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { migrate } from '../db/migrate.ts'
import { openDatabase } from '../db/open-database.ts'
import { flush } from '#server/jobs/flush.ts'
import { resetRestoredState } from './after-restore.ts'
import { BackupProblem } from './backup-problem.ts'
import { unpack } from './checked-file.ts'
import { linkAside } from './restore-files.ts'
import { PACKED_DATABASE } from './sqlite-backup.ts'
import { inspectSqlite } from './sqlite-inspection.ts'

/** Files SQLite keeps next to a database: a leftover log would be applied to the database that replaces it. */
const LOG_SUFFIXES = ['-wal', '-shm', '-journal']
const SUFFIXES = ['', ...LOG_SUFFIXES]

/** Whether a database exists; a log without its database counts. */
export function hasSqlite(file: string): boolean {
  return SUFFIXES.some((suffix) => existsSync(file + suffix))
}

/** Whether any process has the database open: SQLite leaves WAL mode only for an exclusive connection. */
export function isSqliteInUse(file: string): boolean {
  if (!existsSync(file)) return false
  const probe = new Sqlite(file, { timeout: 0 })
  try {
    return probe.pragma('journal_mode = delete', { simple: true }) !== 'delete'
  } catch (error) {
    // Any other error means damage, which may be the reason for the restore.
    return ((error as { code?: string }).code ?? '').startsWith('SQLITE_BUSY')
  } finally {
    probe.close()
  }
}

/** Unpacks, migrates and checks the database next to its destination. Returns the number of rows per table. */
export async function unpackSqlite(backup: string, file: string, now: number): Promise<Record<string, number>> {
  const unpacked = unpackedPath(file)
  await discardSqlite(file)
  await unpack(join(backup, PACKED_DATABASE), unpacked)
  const database = openDatabase(`sqlite:${unpacked}`, console)
  try {
    await migrate(database, now)
    await database.db.transaction().execute((tx) => resetRestoredState(tx, now))
  } finally {
    await database.close()
  }
  const { integrity, tables } = inspectSqlite(unpacked)
  if (integrity !== 'ok') throw new BackupProblem(`The database in ${backup} is damaged (${integrity.slice(0, 200)}).`)
  return tables
}

/** Moves the unpacked database to its destination. A power failure at any moment leaves either the old or the new one in place. */
export async function installSqlite(file: string, aside: string | null): Promise<void> {
  if (aside) {
    // `isSqliteInUse` merged the logs into their database: any left belong to a damaged one.
    for (const suffix of LOG_SUFFIXES)
      if (existsSync(file + suffix)) await rename(file + suffix, `${file}.${aside}${suffix}`)
    await linkAside(file, aside)
  }
  await rename(unpackedPath(file), file)
  await flush(dirname(file))
}

/** Deletes an unpacked database that was not placed. */
export async function discardSqlite(file: string): Promise<void> {
  for (const suffix of SUFFIXES) await rm(unpackedPath(file) + suffix, { force: true })
}

function unpackedPath(file: string): string {
  return `${file}.restoring`
}
