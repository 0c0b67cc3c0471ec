import { parentPort, workerData } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'
import { inspectSqlite } from './sqlite-inspection.ts'

// Runs in a separate thread: copying and checking take seconds, and the site must keep responding.
const { source, destination } = workerData as { source: string; destination: string }
await copyDatabase()
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort?.postMessage(inspectSqlite(destination))

/** Uses SQLite's online backup. The open transaction hides concurrent writes, so the copy is a single snapshot and never restarts. */
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
