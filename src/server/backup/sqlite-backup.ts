import { createReadStream, existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { BackupProblem } from './backup-problem.ts'
import { writeChecked } from './checked-file.ts'
import type { DatabasePart } from './manifest.ts'
import type { SqliteFacts } from './sqlite-inspection.ts'

/** The database within a backup. */
export const PACKED = 'database.sqlite.gz'

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
