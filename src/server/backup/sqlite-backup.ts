import { createReadStream, existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'
import { migrate } from '../db/migrate.ts'
import { openDatabase } from '../db/open-database.ts'
import { settleRestored } from './after-restore.ts'
import { BackupProblem } from './backup-problem.ts'
import { flushDirectory, unpack, writeChecked } from './checked-file.ts'
import type { DatabasePart } from './manifest.ts'
import { inspectSqlite, type SqliteFacts } from './sqlite-inspection.ts'

const PACKED = 'database.sqlite.gz'
/** The database and what SQLite keeps beside it: a log that is left would be played into whatever takes its place. */
const ENDINGS = ['', '-wal', '-shm', '-journal']

/** Copies the database while the site writes to it, checks the copy, and packs it into the folder. */
export async function backUpSqlite(file: string, directory: string): Promise<DatabasePart> {
  if (!existsSync(file)) throw new BackupProblem(`There is no database at ${file}: nothing to back up.`)
  const copy = join(directory, 'database.sqlite')
  const { integrity, migrations, tables } = await copyInThread(file, copy)
  if (integrity !== 'ok')
    throw new BackupProblem(
      `The database is damaged (${integrity.slice(0, 200)}): restore a backup that was made before.`,
    )
  const facts = await writeChecked(join(directory, PACKED), createReadStream(copy), { gzip: true })
  await rm(copy)
  return { schema: migrations.at(-1) ?? '', tables, files: [{ path: PACKED, ...facts }] }
}

function copyInThread(source: string, destination: string): Promise<SqliteFacts> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./sqlite-copy.worker.ts', import.meta.url), {
      workerData: { source, destination },
    })
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`copying the database ended with ${code}`)))
  })
}

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

/** Renames the database and what belongs to it. */
export async function setSqliteAside(file: string, ending: string): Promise<void> {
  for (const one of ENDINGS) if (existsSync(file + one)) await rename(file + one, `${file}.${ending}${one}`)
}

/** Unpacks, brings up to date and checks beside its place, and puts it there as the last step. Answers the rows of each table. */
export async function restoreSqlite(backup: string, file: string, now: number): Promise<Record<string, number>> {
  const draft = `${file}.restoring`
  for (const ending of ENDINGS) await rm(draft + ending, { force: true })
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
  await rename(draft, file)
  await flushDirectory(dirname(file))
  return tables
}
