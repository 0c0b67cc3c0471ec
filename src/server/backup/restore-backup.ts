import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Config } from '../config/config.ts'
import { sqliteFile } from '../config/sqlite-file.ts'
import type { Database } from '../db/database.ts'
import { migrations } from '../db/migrations/index.ts'
import { openDatabase } from '../db/open-database.ts'
import type { Clock } from '#server/lib/clock.ts'
import { isSiteRunning } from '#server/jobs/heartbeat.ts'
import { findBackup } from './backup-folder.ts'
import { withBackupLock } from './backup-lock.ts'
import { BackupProblem } from './backup-problem.ts'
import { readManifest, verifyFiles, type Manifest } from './manifest.ts'
import { hasTables, notEmptyError, restorePostgres } from './postgres-backup.ts'
import { hasOtherSecret, prepareFiles, type PreparedFiles } from './restore-files.ts'
import { discardSqlite, hasSqlite, isSqliteInUse, installSqlite, unpackSqlite } from './sqlite-restore.ts'

export interface RestoredBackup {
  path: string
  manifest: Manifest
  /** Row count per table after the restore. */
  tables: Record<string, number>
  media: PreparedFiles['media']
  secret: PreparedFiles['secret']
  /** The name under which previous data is kept; null when there was none. */
  aside: string | null
}

/**
 * Restores a site from a backup. Verifies every file and prepares everything next to its destination before touching existing data: any failure leaves the
 * existing site intact. The database comes last, so an interrupted restore can simply be repeated.
 * @param replace moves existing data aside instead of refusing
 * @throws BackupProblem with a message for the webmaster
 */
export async function restoreBackup(options: {
  config: Config
  path: string
  replace: boolean
  clock: Clock
  say(line: string): void
  /** The PostgreSQL database to fill; by default the configured one. */
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
      if (isTaken && !replace) throw notEmptyError()
      if (isTaken && (await target.isInUse(() => say('A site was running a moment ago. Waiting for it to stop …'))))
        throw stillRunning()
      const now = clock.now()
      const aside = isTaken ? asideName(now) : null
      const { media, secret, install, discard } = await prepareFiles(config, { path, manifest, aside })
      try {
        const tables = await target.restore({ path, manifest, aside, now, placeFiles: install })
        return { path, manifest, tables, media, secret, aside }
      } finally {
        await discard()
      }
    } finally {
      await target.close()
    }
  }

  return withBackupLock([config.dataDirectory], work, { readFrom: dirname(path) })
}

/** Valid as a file suffix and as a schema name, such as `before_restore_20301231t235959z`. */
function asideName(now: number): string {
  const instant = new Date(now).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').toLowerCase()
  return `before_restore_${instant}z`
}

/** The database to restore into. */
interface Target {
  isTaken(): Promise<boolean>
  /** Whether a site is running on it. */
  isInUse(onWait: () => void): Promise<boolean>
  /** @param installFiles called once everything is ready, right before the database is replaced */
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
        // Unpacking takes a while: a site may have started meanwhile.
        if (aside ? isSqliteInUse(file) : hasSqlite(file)) throw stillRunning()
        await placeFiles()
        await installSqlite(file, aside)
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
    // A database that cannot be queried has no running site.
    isInUse: (onWait) => isSiteRunning(database.db, clock, onWait).catch(() => false),
    restore: ({ path: backup, ...from }) => restorePostgres(database, { ...from, backup }),
    close: () => database.close(),
  }
}

function stillRunning(): BackupProblem {
  return new BackupProblem('A site is running on this database. Stop every instance, then restore.')
}

function requireFit({ engine, schema }: Manifest, { databaseUrl }: Config): void {
  const configured = databaseUrl.startsWith('sqlite:') ? 'sqlite' : 'postgres'
  if (engine !== configured) {
    const [from, to] = engine === 'sqlite' ? ['SQLite', 'PostgreSQL'] : ['PostgreSQL', 'SQLite']
    throw new BackupProblem(
      `This is a ${from} backup, but DATABASE_URL is ${to}. Restore it into ${from}, then run "npm run admin -- move".`,
    )
  }
  if (!Object.hasOwn(migrations, schema))
    throw new BackupProblem(
      `This backup was made by a newer release (migration ${schema}). Restore it with that release.`,
    )
}
