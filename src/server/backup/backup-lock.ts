import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { BackupProblem } from './backup-problem.ts'

const LOCK_FILE = '.backup-lock'

/** Where a folder cannot be written to, as on a rescued disk that is mounted so, nobody makes a backup either. */
const READ_ONLY = /^SQLITE_(CANTOPEN|READONLY)/

/**
 * Runs something while nobody else makes or restores a backup with any of these folders. The lock is the operating system's, on a file in each: it ends
 * with the process that holds it, however that ends.
 * @param readFrom one more folder, which is only read: it may be one that nobody can write to
 * @throws BackupProblem when somebody else is at it
 */
export async function holding<T>(
  directories: readonly string[],
  work: () => Promise<T>,
  { readFrom = null }: { readFrom?: string | null } = {},
): Promise<T> {
  const held: Sqlite.Database[] = []
  try {
    for (const directory of new Set(directories)) held.push(lock(directory))
    if (readFrom !== null && !directories.includes(readFrom)) held.push(...lockIfPossible(readFrom))
    return await work()
  } finally {
    for (const file of held) file.close()
  }
}

function lockIfPossible(directory: string): Sqlite.Database[] {
  try {
    return [lock(directory)]
  } catch (error) {
    if (READ_ONLY.test(codeOf(error))) return []
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
    if (codeOf(error) !== 'SQLITE_BUSY') throw error
    throw new BackupProblem(
      `Somebody else is making or restoring a backup in ${directory}. Try again when that is done.`,
    )
  }
}

function codeOf(error: unknown): string {
  return (error as { code?: string }).code ?? ''
}
