import { copyFile, chmod, rm } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { sessionSecretFile } from '../config/session-secret.ts'
import { sqliteFile } from '../config/sqlite-file.ts'
import type { Database } from '../db/database.ts'
import { createMediaArchive } from '#server/media-store/create-media-store.ts'
import { flush } from '#server/jobs/flush.ts'
import {
  clearLeftovers,
  finishBackup,
  listBackups,
  makeBackupDirectory,
  createUnfinishedBackup,
  removeBackup,
} from './backup-folder.ts'
import { withBackupLock } from './backup-lock.ts'
import { measureFile } from './checked-file.ts'
import { type DatabasePart, readManifest, writeManifest, type Manifest } from './manifest.ts'
import { backUpMedia, type PreviousBackup } from './media-copies.ts'
import { backUpPostgres } from './postgres-backup.ts'
import { outdatedBackups } from './retention.rules.ts'
import { backUpSqlite } from './sqlite-backup.ts'

export interface BackupResult {
  path: string
  manifest: Manifest
  /** How many older backups were deleted. */
  removed: number
}

const SECRET = 'session-secret'

/**
 * Copies all data of a running site into a dated folder: the database at one point in time, every picture that existed then, and the session secret if it is
 * stored in the data directory. The folder gets its final name once it is complete and synced; then old backups are deleted (`retention.rules.ts`).
 * @param keep number of daily backups to keep
 * @throws BackupProblem with a message for the webmaster
 */
export async function makeBackup({
  config,
  database,
  directory,
  keep,
  now,
}: {
  config: Config
  database: Database
  directory: string
  keep: number
  now: number
}): Promise<BackupResult> {
  await makeBackupDirectory(directory)
  return withBackupLock([directory, config.dataDirectory], async () => {
    await clearLeftovers(directory)
    const previous = await findNewestReadable(directory)
    const unfinished = await createUnfinishedBackup(directory, now)
    try {
      const manifest = await fill(unfinished, { config, database, previous, now })
      await flush(unfinished)
      const path = await finishBackup(unfinished, now)
      await flush(directory)
      return { path, manifest, removed: await removeOutdated(directory, { now, keep }) }
    } catch (error) {
      await rm(unfinished, { recursive: true, force: true })
      throw error
    }
  })
}

async function fill(
  directory: string,
  {
    config,
    database,
    previous,
    now,
  }: { config: Config; database: Database; previous: PreviousBackup | null; now: number },
): Promise<Manifest> {
  const archive = createMediaArchive(config)
  try {
    // Before the database, which may reference pictures deleted during the copy, and again for pictures added by then.
    const before = await backUpMedia(archive, directory, previous)
    const databasePart = await backUpDatabase(config, database, directory)
    const secret = await backUpSecret(config, directory)
    const after = await backUpMedia(archive, directory, { path: directory, manifest: { media: before } })
    const manifest: Manifest = {
      format: 1,
      madeAt: new Date(now).toISOString(),
      engine: database.engine,
      schema: databasePart.schema,
      tables: databasePart.tables,
      files: [...databasePart.files, ...secret],
      media: [...new Map([...before, ...after].map((entry) => [entry.path, entry])).values()],
    }
    await writeManifest(directory, manifest)
    return manifest
  } finally {
    archive.close()
  }
}

function backUpDatabase({ databaseUrl }: Config, database: Database, directory: string): Promise<DatabasePart> {
  return database.engine === 'sqlite'
    ? backUpSqlite(sqliteFile(databaseUrl), directory)
    : backUpPostgres(database, directory)
}

/** Without it everyone would be signed out and links in emails would break. A secret set in the environment is not copied. */
async function backUpSecret({ dataDirectory, sessionSecret }: Config, directory: string): Promise<Manifest['files']> {
  const source = sessionSecretFile(dataDirectory)
  if (sessionSecret !== null || !existsSync(source)) return []
  const target = join(directory, SECRET)
  await copyFile(source, target)
  await chmod(target, 0o600)
  const measured = await measureFile(target)
  return measured ? [{ path: SECRET, ...measured }] : []
}

/** The newest backup with a readable manifest, for sharing its media. */
async function findNewestReadable(directory: string): Promise<PreviousBackup | null> {
  for (const { path } of await listBackups(directory)) {
    const manifest = await readManifest(path).catch(() => null)
    if (manifest) return { path, manifest }
  }
  return null
}

async function removeOutdated(directory: string, limits: { now: number; keep: number }): Promise<number> {
  const backups = await listBackups(directory)
  const outdated = new Set(
    outdatedBackups(
      backups.map(({ madeAt }) => madeAt),
      limits,
    ),
  )
  const outdatedBackupFolders = backups.filter(({ madeAt }) => outdated.has(madeAt))
  for (const backup of outdatedBackupFolders) await removeBackup(backup)
  return outdatedBackupFolders.length
}
