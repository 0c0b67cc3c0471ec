import { existsSync } from 'node:fs'
import { chmod, copyFile, mkdir, readFile, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Config } from '../config/config.ts'
import { sessionSecretFile } from '../config/session-secret.ts'
import { sqliteFile } from '../config/sqlite-file.ts'
import type { Database } from '../db/database.ts'
import { migrations } from '../db/migrations/index.ts'
import { openDatabase } from '../db/open-database.ts'
import { createMediaArchive, mediaDirectory } from '../media/create-media-store.ts'
import type { Clock } from '../platform/clock.ts'
import { isSiteRunning } from '../platform/presence.ts'
import { findBackup } from './backup-folder.ts'
import { holding } from './backup-lock.ts'
import { BackupProblem } from './backup-problem.ts'
import { readManifest, verifyFiles, type Manifest } from './manifest.ts'
import { restoreMedia } from './media-copies.ts'
import { hasTables, notEmpty, restorePostgres } from './postgres-backup.ts'
import { hasSqlite, isSqliteInUse, restoreSqlite, setSqliteAside } from './sqlite-backup.ts'

export interface RestoredBackup {
  path: string
  manifest: Manifest
  /** Rows of each table now. */
  tables: Record<string, number>
  media: { added: number; present: number }
  /** `kept`: it was there, and the same; `elsewhere`: it is set in the environment. */
  secret: 'restored' | 'kept' | 'elsewhere' | 'none'
  /** How what was there before is called now; null when nothing was. */
  aside: string | null
}

const SECRET = 'session-secret'

/**
 * Makes an empty place the site of a backup. Every file is read and compared before anything is touched, and the database comes last: a restore that was
 * broken off is simply done again.
 * @param replace keeps aside what is there, instead of refusing
 * @throws BackupProblem with a sentence for the webmaster
 */
export async function restoreBackup(options: {
  config: Config
  path: string
  replace: boolean
  clock: Clock
  say(line: string): void
  /** The PostgreSQL database to fill; that of the settings unless given. */
  openTarget?: () => Database
}): Promise<RestoredBackup> {
  const { config, replace, clock, say, openTarget = () => openDatabase(config.databaseUrl, console) } = options
  const { path } = await findBackup(options.path)
  await mkdir(config.dataDirectory, { recursive: true })
  return holding([dirname(path), config.dataDirectory], async () => {
    const manifest = await readManifest(path)
    requireFit(manifest, config)
    await verifyFiles(path, manifest)
    const target = manifest.engine === 'sqlite' ? sqliteTarget(config) : postgresTarget(openTarget(), clock)
    try {
      const isTaken = (await target.isTaken()) || (await hasOtherSecret(config, path, manifest))
      if (isTaken && !replace) throw notEmpty()
      if (isTaken && (await target.isInUse(() => say('A site was running a moment ago: waiting until it is gone …'))))
        throw stillRunning()
      const now = clock.now()
      const aside = isTaken ? asideName(now) : null
      if (aside) await setFilesAside(config, aside)
      const media = await putMediaBack(config, path, manifest)
      const secret = await putSecretBack(config, path, manifest)
      const tables = await target.restore({ path, manifest, aside, now })
      return { path, manifest, tables, media, secret, aside }
    } finally {
      await target.close()
    }
  })
}

/** Fits a file's ending and a schema's name, such as `before_restore_20301231t235959z`. */
function asideName(now: number): string {
  const instant = new Date(now).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').toLowerCase()
  return `before_restore_${instant}z`
}

/** A database about to be filled. */
interface Target {
  isTaken(): Promise<boolean>
  /** Whether a site runs on it. */
  isInUse(onWait: () => void): Promise<boolean>
  restore(from: {
    path: string
    manifest: Manifest
    aside: string | null
    now: number
  }): Promise<Record<string, number>>
  close(): Promise<void>
}

function sqliteTarget({ databaseUrl }: Config): Target {
  const file = sqliteFile(databaseUrl)
  return {
    isTaken: async () => hasSqlite(file),
    isInUse: async () => isSqliteInUse(file),
    async restore({ path, aside, now }) {
      await mkdir(dirname(file), { recursive: true })
      if (aside) await setSqliteAside(file, aside)
      return restoreSqlite(path, file, now)
    },
    close: async () => {},
  }
}

function postgresTarget(database: Database, clock: Clock): Target {
  return {
    isTaken: () => hasTables(database),
    // What cannot be asked has no site of ours.
    isInUse: (onWait) => isSiteRunning(database.db, clock, onWait).catch(() => false),
    restore: ({ path: backup, ...from }) => restorePostgres(database, { ...from, backup }),
    close: () => database.close(),
  }
}

function stillRunning(): BackupProblem {
  return new BackupProblem('The site is running on this database. Stop every instance of it, then restore.')
}

function requireFit({ engine, schema }: Manifest, { databaseUrl }: Config): void {
  const wanted = databaseUrl.startsWith('sqlite:') ? 'sqlite' : 'postgres'
  if (engine !== wanted) {
    const [from, to] = engine === 'sqlite' ? ['SQLite', 'PostgreSQL'] : ['PostgreSQL', 'SQLite']
    throw new BackupProblem(
      `This is a backup of ${from}, and DATABASE_URL names ${to}. Restore it into ${from}, then "npm run admin -- move" takes it over.`,
    )
  }
  if (!Object.hasOwn(migrations, schema))
    throw new BackupProblem(
      `This backup was made by a newer release (it knows ${schema}). Restore it with that release.`,
    )
}

/** Another site's secret lies where that of the backup belongs. */
async function hasOtherSecret(
  { dataDirectory, sessionSecret }: Config,
  path: string,
  manifest: Manifest,
): Promise<boolean> {
  const file = sessionSecretFile(dataDirectory)
  if (sessionSecret !== null || !holdsSecret(manifest) || !existsSync(file)) return false
  return (await readFile(file, 'utf8')) !== (await readFile(join(path, SECRET), 'utf8'))
}

function holdsSecret({ files }: Manifest): boolean {
  return files.some((file) => file.path === SECRET)
}

/** Objects in buckets stay: what is there is never overwritten. */
async function setFilesAside({ dataDirectory, storage }: Config, aside: string): Promise<void> {
  const places = [sessionSecretFile(dataDirectory), ...(storage ? [] : [mediaDirectory(dataDirectory)])]
  for (const place of places) if (existsSync(place)) await rename(place, `${place}.${aside}`)
}

async function putMediaBack(config: Config, path: string, manifest: Manifest): Promise<RestoredBackup['media']> {
  const archive = createMediaArchive(config)
  try {
    return await restoreMedia(archive, path, manifest)
  } finally {
    archive.close()
  }
}

async function putSecretBack(config: Config, path: string, manifest: Manifest): Promise<RestoredBackup['secret']> {
  const file = sessionSecretFile(config.dataDirectory)
  if (config.sessionSecret !== null) return 'elsewhere'
  if (!holdsSecret(manifest)) return 'none'
  if (existsSync(file)) return 'kept'
  await copyFile(join(path, SECRET), file)
  await chmod(file, 0o600)
  return 'restored'
}
