import { copyFile, chmod, rm } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { sessionSecretFile } from '../config/session-secret.ts'
import { sqliteFile } from '../config/sqlite-file.ts'
import type { Database } from '../db/database.ts'
import { createMediaArchive } from '../media/create-media-store.ts'
import { flush } from '../platform/flush.ts'
import {
  clearLeftovers,
  finish,
  listBackups,
  makeBackupDirectory,
  makeUnfinished,
  removeBackup,
} from './backup-folder.ts'
import { holding } from './backup-lock.ts'
import { measureFile } from './checked-file.ts'
import { type DatabasePart, readManifest, writeManifest, type Manifest } from './manifest.ts'
import { backUpMedia, type PreviousBackup } from './media-copies.ts'
import { backUpPostgres } from './postgres-backup.ts'
import { outdatedBackups } from './retention.rules.ts'
import { backUpSqlite } from './sqlite-backup.ts'

export interface MadeBackup {
  path: string
  manifest: Manifest
  /** How many older ones went. */
  removed: number
}

const SECRET = 'session-secret'

/**
 * Copies everything a site keeps into a dated folder, while the site runs: the database as of one moment, every picture that was there then, and the session secret where it lies
 * in the data folder. The folder gets its name when it is whole and on the disk; then older ones go (`retention.rules.ts`).
 * @param keep days of which one backup stays
 * @throws BackupProblem with a sentence for the webmaster
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
}): Promise<MadeBackup> {
  await makeBackupDirectory(directory)
  return holding([directory, config.dataDirectory], async () => {
    await clearLeftovers(directory)
    const previous = await newestWhole(directory)
    const unfinished = await makeUnfinished(directory, now)
    try {
      const manifest = await fill(unfinished, { config, database, previous, now })
      await flush(unfinished)
      const path = await finish(unfinished, now)
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
    // Before the database, which may name what is deleted while it is copied, and again for what was added by then.
    const before = await backUpMedia(archive, directory, previous)
    const part = await backUpDatabase(config, database, directory)
    const secret = await backUpSecret(config, directory)
    const after = await backUpMedia(archive, directory, { path: directory, manifest: { media: before } })
    const manifest: Manifest = {
      format: 1,
      madeAt: new Date(now).toISOString(),
      engine: database.engine,
      schema: part.schema,
      tables: part.tables,
      files: [...part.files, ...secret],
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

/** Without it everybody would be signed out, and links in letters would end. One that is set in the environment is kept there. */
async function backUpSecret({ dataDirectory, sessionSecret }: Config, directory: string): Promise<Manifest['files']> {
  const source = sessionSecretFile(dataDirectory)
  if (sessionSecret !== null || !existsSync(source)) return []
  const target = join(directory, SECRET)
  await copyFile(source, target)
  await chmod(target, 0o600)
  const facts = await measureFile(target)
  return facts ? [{ path: SECRET, ...facts }] : []
}

/** The newest whose list can be read, for sharing its media. */
async function newestWhole(directory: string): Promise<PreviousBackup | null> {
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
  const going = backups.filter(({ madeAt }) => outdated.has(madeAt))
  for (const backup of going) await removeBackup(backup)
  return going.length
}
