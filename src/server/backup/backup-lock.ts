import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { BackupProblem } from './backup-problem.ts'

const LOCK_FILE = '.backup-lock'

/** A folder that is not writable, such as a rescued disk mounted read-only, needs no lock: no backup can be made in it. */
const READ_ONLY = /^SQLITE_(CANTOPEN|READONLY)/

/**
 * Runs `work` while no other process makes or restores a backup in these folders. Uses an operating system lock on a file in each, which is released when the
 * process exits for any reason.
 * @param readFrom one more folder, which is only read and may be read-only
 * @throws BackupProblem when another process holds the lock
 */
export async function withBackupLock<T>(
  directories: readonly string[],
  work: () => Promise<T>,
  { readFrom = null }: { readFrom?: string | null } = {},
): Promise<T> {
  const locks: Sqlite.Database[] = []
  try {
    for (const directory of new Set(directories)) locks.push(lock(directory))
    if (readFrom !== null && !directories.includes(readFrom)) locks.push(...lockIfPossible(readFrom))
    return await work()
  } finally {
    for (const file of locks) file.close()
  }
}

function lockIfPossible(directory: string): Sqlite.Database[] {
  try {
    return [lock(directory)]
  } catch (error) {
    if (READ_ONLY.test(errorCode(error))) return []
    throw error
  }
}

function lock(directory: string): Sqlite.Database {
  const file = new Sqlite(join(directory, LOCK_FILE), { timeout: 0 })
  try {
    file.exec('begin exclusive')
    return file
  } catch (error) {
    file.close()
    if (errorCode(error) !== 'SQLITE_BUSY') throw error
    throw new BackupProblem(
      `Another process is making or restoring a backup in ${directory}. Try again when it is done.`,
    )
  }
}

function errorCode(error: unknown): string {
  return (error as { code?: string }).code ?? ''
}
