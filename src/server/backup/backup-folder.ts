import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { BackupProblem } from './backup-problem.ts'

/** A finished backup: a folder named after its time (UTC). */
export interface BackupFolder {
  path: string
  madeAt: number
}

const NAME = /^(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2})Z$/
const UNFINISHED = '.unfinished-'
const REMOVING = '.removing-'
const MANIFEST = 'manifest.json'

/** Creates the backup folder if missing, readable only by its owner. An existing one keeps its permissions. */
export async function makeBackupDirectory(directory: string): Promise<void> {
  if (existsSync(directory)) return
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await chmod(directory, 0o700)
}

/** Lists finished backups, newest first; empty when the folder does not exist. */
export async function listBackups(directory: string): Promise<BackupFolder[]> {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return names
    .flatMap((name) => {
      const madeAt = parseName(name)
      return madeAt !== null && existsSync(join(directory, name, MANIFEST))
        ? { path: join(directory, name), madeAt }
        : []
    })
    .sort((a, b) => b.madeAt - a.madeAt)
}

/** Resolves a path to a backup: the path itself, or the newest in a folder of backups. */
export async function findBackup(path: string): Promise<BackupFolder> {
  const absolute = resolve(path)
  if (basename(absolute).startsWith('.')) throw new BackupProblem(`${absolute} is not a finished backup.`)
  if (existsSync(join(absolute, MANIFEST))) return { path: absolute, madeAt: parseName(basename(absolute)) ?? 0 }
  if (parseName(basename(absolute)) !== null && existsSync(absolute))
    throw new BackupProblem(`${absolute} is not a complete backup: ${MANIFEST} is missing. Use another one.`)
  const [newest] = await listBackups(absolute)
  if (!newest) throw new BackupProblem(`There is no backup in ${absolute}.`)
  return newest
}

/** Creates the folder a backup is written to until it is complete, under a name that no finished backup has. */
export async function createUnfinishedBackup(directory: string, madeAt: number): Promise<string> {
  const path = join(directory, `${UNFINISHED}${formatName(madeAt)}`)
  await mkdir(path, { mode: 0o700 })
  return path
}

/** Renames a complete backup to its final name. */
export async function finishBackup(unfinished: string, madeAt: number): Promise<string> {
  const path = join(dirname(unfinished), formatName(madeAt))
  if (existsSync(path)) throw new BackupProblem(`${path} already exists. Try again in a second.`)
  await rename(unfinished, path)
  return path
}

/** Renames before deleting, so that a partly deleted backup never looks complete. */
export async function removeBackup({ path }: BackupFolder): Promise<void> {
  const renamed = join(dirname(path), `${REMOVING}${basename(path)}`)
  await rename(path, renamed)
  await rm(renamed, { recursive: true, force: true })
}

/** Deletes what killed backups left behind. Requires the lock (`backup-lock.ts`). */
export async function clearLeftovers(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (name.startsWith(UNFINISHED) || name.startsWith(REMOVING))
      await rm(join(directory, name), { recursive: true, force: true })
  }
}

function formatName(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 19).replaceAll(':', '-')}Z`
}

/** Returns null for a name that is not a backup's. */
function parseName(name: string): number | null {
  const [, day, hour, minute, second] = NAME.exec(name) ?? []
  return day === undefined ? null : Date.parse(`${day}T${hour}:${minute}:${second}Z`)
}
