import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { BackupProblem } from './backup-problem.ts'

const LOCK_FILE = '.backup-lock'

/**
 * Runs something while nobody else makes or restores a backup with any of these folders. The lock is the operating system's, on a file in each: it ends
 * with the process that holds it, however that ends.
 * @throws BackupProblem when somebody else is at it
 */
export async function holding<T>(directories: readonly string[], work: () => Promise<T>): Promise<T> {
  const held: Sqlite.Database[] = []
  try {
    for (const directory of new Set(directories)) held.push(lock(directory))
    return await work()
  } finally {
    for (const file of held) file.close()
  }
}

function lock(directory: string): Sqlite.Database {
  const file = new Sqlite(join(directory, LOCK_FILE), { timeout: 0 })
  try {
    file.exec('begin exclusive')
    return file
  } catch (error) {
    file.close()
    if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error
    throw new BackupProblem(
      `Somebody else is making or restoring a backup in ${directory}. Try again when that is done.`,
    )
  }
}
