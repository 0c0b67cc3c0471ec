import { createReadStream, existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { BackupProblem } from './backup-problem.ts'
import { writeChecked } from './checked-file.ts'
import type { DatabasePart } from './manifest.ts'
import type { SqliteInspection } from './sqlite-inspection.ts'

/** File name of the database within the backup. */
export const PACKED_DATABASE = 'database.sqlite.gz'

/** Copies the database while the site writes to it, checks the copy, and compresses it into the folder. */
export async function backUpSqlite(file: string, directory: string): Promise<DatabasePart> {
  if (!existsSync(file)) throw new BackupProblem(`There is no database at ${file}. Nothing to back up.`)
  const copy = join(directory, 'database.sqlite')
  const { integrity, migrations, tables } = await copyInThread(file, copy)
  if (integrity !== 'ok')
    throw new BackupProblem(`The database is damaged (${integrity.slice(0, 200)}). Restore an earlier backup.`)
  const measured = await writeChecked(join(directory, PACKED_DATABASE), createReadStream(copy), { gzip: true })
  await rm(copy)
  return { schema: migrations.at(-1) ?? '', tables, files: [{ path: PACKED_DATABASE, ...measured }] }
}

function copyInThread(source: string, destination: string): Promise<SqliteInspection> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./sqlite-copy.worker.ts', import.meta.url), {
      workerData: { source, destination },
    })
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`copying the database exited with ${code}`)))
  })
}
