import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Config } from '../config/config.ts'
import { sqliteFile } from '../config/sqlite-file.ts'
import type { Database } from '../db/database.ts'
import { migrations } from '../db/migrations/index.ts'
import { openDatabase } from '../db/open-database.ts'
import type { Clock } from '../platform/clock.ts'
import { isSiteRunning } from '../platform/presence.ts'
import { findBackup } from './backup-folder.ts'
import { holding } from './backup-lock.ts'
import { BackupProblem } from './backup-problem.ts'
import { readManifest, verifyFiles, type Manifest } from './manifest.ts'
import { hasTables, notEmpty, restorePostgres } from './postgres-backup.ts'
import { hasOtherSecret, prepareFiles, type FilesOfBackup } from './restore-files.ts'
import { discardSqlite, hasSqlite, isSqliteInUse, placeSqlite, unpackSqlite } from './sqlite-restore.ts'

export interface RestoredBackup {
  path: string
  manifest: Manifest
  /** Rows of each table now. */
  tables: Record<string, number>
  media: FilesOfBackup['media']
  secret: FilesOfBackup['secret']
  /** How what was there before is called now; null when nothing was. */
  aside: string | null
}

/**
 * Makes an empty place the site of a backup. Every file is read and compared, and all is made ready beside its place, before anything that is there is
 * touched: whatever fails leaves the site that was there. The database comes last: a restore that was broken off is simply done again.
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
  async function work(): Promise<RestoredBackup> {
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
      const { media, secret, place, discard } = await prepareFiles(config, { path, manifest, aside })
      try {
        const tables = await target.restore({ path, manifest, aside, now, placeFiles: place })
        return { path, manifest, tables, media, secret, aside }
      } finally {
        await discard()
      }
    } finally {
      await target.close()
    }
  }

  return holding([config.dataDirectory], work, { readFrom: dirname(path) })
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
  /** @param placeFiles called when all is ready, right before the database takes its place */
  restore(from: {
    path: string
    manifest: Manifest
    aside: string | null
    now: number
    placeFiles(): Promise<void>
  }): Promise<Record<string, number>>
  close(): Promise<void>
}

function sqliteTarget({ databaseUrl }: Config): Target {
  const file = sqliteFile(databaseUrl)
  return {
    isTaken: async () => hasSqlite(file),
    isInUse: async () => isSqliteInUse(file),
    async restore({ path, aside, now, placeFiles }) {
      await mkdir(dirname(file), { recursive: true })
      try {
        const tables = await unpackSqlite(path, file, now)
        // That took a while: a site may have been started.
        if (aside ? isSqliteInUse(file) : hasSqlite(file)) throw stillRunning()
        await placeFiles()
        await placeSqlite(file, aside)
        return tables
      } finally {
        await discardSqlite(file)
      }
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
