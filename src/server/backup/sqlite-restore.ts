import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { migrate } from '../db/migrate.ts'
import { openDatabase } from '../db/open-database.ts'
import { flush } from '../platform/flush.ts'
import { settleRestored } from './after-restore.ts'
import { BackupProblem } from './backup-problem.ts'
import { unpack } from './checked-file.ts'
import { keepAside } from './restore-files.ts'
import { PACKED } from './sqlite-backup.ts'
import { inspectSqlite } from './sqlite-inspection.ts'

/** What SQLite keeps beside a database: a log that is left would be played into whatever takes its place. */
const LOGS = ['-wal', '-shm', '-journal']
const ENDINGS = ['', ...LOGS]

/** Whether there is a database already; a log without its database counts. */
export function hasSqlite(file: string): boolean {
  return ENDINGS.some((ending) => existsSync(file + ending))
}

/** Whether any process has the database open: SQLite gives up its log only to a connection that is alone. */
export function isSqliteInUse(file: string): boolean {
  if (!existsSync(file)) return false
  const probe = new Sqlite(file, { timeout: 0 })
  try {
    return probe.pragma('journal_mode = delete', { simple: true }) !== 'delete'
  } catch (error) {
    // Anything else is damage, which may be why it is being restored.
    return ((error as { code?: string }).code ?? '').startsWith('SQLITE_BUSY')
  } finally {
    probe.close()
  }
}

/** Unpacks, brings up to date and checks beside its place. Answers the rows of each table. */
export async function unpackSqlite(backup: string, file: string, now: number): Promise<Record<string, number>> {
  const draft = draftOf(file)
  await discardSqlite(file)
  await unpack(join(backup, PACKED), draft)
  const database = openDatabase(`sqlite:${draft}`, console)
  try {
    await migrate(database, now)
    await database.db.transaction().execute((tx) => settleRestored(tx, now))
  } finally {
    await database.close()
  }
  const { integrity, tables } = inspectSqlite(draft)
  if (integrity !== 'ok') throw new BackupProblem(`The database in ${backup} is damaged (${integrity.slice(0, 200)}).`)
  return tables
}

/** Puts there what was unpacked. A power cut at any moment leaves one of the two in its place, or nothing where nothing was. */
export async function placeSqlite(file: string, aside: string | null): Promise<void> {
  if (aside) {
    // `isSqliteInUse` had them written into their database: any that are left belong to a damaged one.
    for (const one of LOGS) if (existsSync(file + one)) await rename(file + one, `${file}.${aside}${one}`)
    await keepAside(file, aside)
  }
  await rename(draftOf(file), file)
  await flush(dirname(file))
}

/** Removes what was unpacked and not put in its place. */
export async function discardSqlite(file: string): Promise<void> {
  for (const ending of ENDINGS) await rm(draftOf(file) + ending, { force: true })
}

function draftOf(file: string): string {
  return `${file}.restoring`
}
