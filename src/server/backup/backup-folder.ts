import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { BackupProblem } from './backup-problem.ts'

/** A finished backup: a folder named for its instant (UTC). */
export interface BackupFolder {
  path: string
  madeAt: number
}

const NAME = /^(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2})Z$/
const UNFINISHED = '.unfinished-'
const REMOVING = '.removing-'
const MANIFEST = 'manifest.json'

/** The folder for backups, made when it is missing, readable by its owner alone. One that exists keeps its rights. */
export async function makeBackupDirectory(directory: string): Promise<void> {
  if (existsSync(directory)) return
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await chmod(directory, 0o700)
}

/** Finished backups, newest first; none when there is no such folder. */
export async function listBackups(directory: string): Promise<BackupFolder[]> {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return names
    .flatMap((name) => {
      const madeAt = instantOf(name)
      return madeAt !== null && existsSync(join(directory, name, MANIFEST))
        ? { path: join(directory, name), madeAt }
        : []
    })
    .sort((a, b) => b.madeAt - a.madeAt)
}

/** The backup a path means: itself, or the newest of a folder of backups. */
export async function findBackup(path: string): Promise<BackupFolder> {
  const whole = resolve(path)
  if (basename(whole).startsWith('.')) throw new BackupProblem(`${whole} is no finished backup.`)
  if (existsSync(join(whole, MANIFEST))) return { path: whole, madeAt: instantOf(basename(whole)) ?? 0 }
  if (instantOf(basename(whole)) !== null && existsSync(whole))
    throw new BackupProblem(`${whole} is no whole backup: ${MANIFEST} is missing. Take another.`)
  const [newest] = await listBackups(whole)
  if (!newest) throw new BackupProblem(`There is no backup in ${whole}.`)
  return newest
}

/** Where a backup is written before it is whole; a name that no finished one has. */
export async function makeUnfinished(directory: string, madeAt: number): Promise<string> {
  const path = join(directory, `${UNFINISHED}${nameOf(madeAt)}`)
  await mkdir(path, { mode: 0o700 })
  return path
}

/** Gives a backup its name: from now on it is one. */
export async function finish(unfinished: string, madeAt: number): Promise<string> {
  const path = join(dirname(unfinished), nameOf(madeAt))
  if (existsSync(path)) throw new BackupProblem(`${path} exists already; try again in a second.`)
  await rename(unfinished, path)
  return path
}

/** Out of sight first, so that a half removed backup never looks like one. */
export async function removeBackup({ path }: BackupFolder): Promise<void> {
  const hidden = join(dirname(path), `${REMOVING}${basename(path)}`)
  await rename(path, hidden)
  await rm(hidden, { recursive: true, force: true })
}

/** What a killed backup left. Call it only while the folder is held (`backup-lock.ts`). */
export async function clearLeftovers(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (name.startsWith(UNFINISHED) || name.startsWith(REMOVING))
      await rm(join(directory, name), { recursive: true, force: true })
  }
}

function nameOf(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 19).replaceAll(':', '-')}Z`
}

/** null for a name that is no backup's. */
function instantOf(name: string): number | null {
  const [, day, hour, minute, second] = NAME.exec(name) ?? []
  return day === undefined ? null : Date.parse(`${day}T${hour}:${minute}:${second}Z`)
}
