import { parentPort, workerData } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'
import { inspectSqlite } from './sqlite-inspection.ts'

// In a thread of its own: copying and checking take seconds, and the site goes on answering.
const { source, destination } = workerData as { source: string; destination: string }
await copyDatabase()
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort?.postMessage(inspectSqlite(destination))

/** SQLite's own online copy, of one moment: the open transaction keeps what others write meanwhile out of sight, so it never begins anew. */
async function copyDatabase(): Promise<void> {
  const file = new Sqlite(source, { fileMustExist: true, timeout: 10_000 })
  try {
    file.exec('begin')
    file.prepare('select count(*) from sqlite_schema').get()
    await file.backup(destination)
  } finally {
    file.close()
  }
}
