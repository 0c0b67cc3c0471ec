import { existsSync } from 'node:fs'
import { link, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { sessionSecretFile } from '../config/session-secret.ts'
import { createMediaArchive, mediaDirectory } from '../media/create-media-store.ts'
import { createDiskArchive } from '../media/disk-archive.ts'
import { flush } from '../platform/flush.ts'
import { writeChecked } from './checked-file.ts'
import type { Manifest } from './manifest.ts'
import { restoreMedia } from './media-copies.ts'

const SECRET = 'session-secret'
const DRAFT = '.restoring'

/** Media and the session secret of a backup, ready beside their places. */
export interface FilesOfBackup {
  media: { added: number; present: number }
  /** `kept`: it was there, and the same; `elsewhere`: it is set in the environment. */
  secret: 'restored' | 'kept' | 'elsewhere' | 'none'
  /** Puts them where they belong, by renames alone. */
  place(): Promise<void>
  /** Removes what was not put in its place. */
  discard(): Promise<void>
}

/**
 * Does all that takes long or may fail before anything that is there is touched. Media of an empty place are put there at once, and so are objects in
 * buckets: what is there is never overwritten.
 * @param aside the ending for what is there already; null when nothing is
 */
export async function prepareFiles(
  config: Config,
  { path, manifest, aside }: { path: string; manifest: Manifest; aside: string | null },
): Promise<FilesOfBackup> {
  const { dataDirectory, storage } = config
  const secretFile = sessionSecretFile(dataDirectory)
  const mediaFolder = mediaDirectory(dataDirectory)
  const drafts = [secretFile + DRAFT, mediaFolder + DRAFT]
  async function discard(): Promise<void> {
    for (const draft of drafts) await rm(draft, { recursive: true, force: true })
  }

  await discard()
  try {
    const media = await putMedia(config, { path, manifest, draft: aside && !storage ? mediaFolder + DRAFT : null })
    const secret = await secretOf(config, { manifest, aside })
    if (secret === 'restored') await writeChecked(secretFile + DRAFT, [await readFile(join(path, SECRET))])
    return {
      media,
      secret,
      discard,
      async place() {
        if (aside && !storage && existsSync(mediaFolder)) await rename(mediaFolder, `${mediaFolder}.${aside}`)
        if (existsSync(mediaFolder + DRAFT)) await rename(mediaFolder + DRAFT, mediaFolder)
        if (aside) await keepAside(secretFile, aside)
        if (existsSync(secretFile + DRAFT)) await rename(secretFile + DRAFT, secretFile)
        else if (aside) await rm(secretFile, { force: true })
        await flush(dataDirectory)
      },
    }
  } catch (error) {
    await discard()
    throw error
  }
}

/** Another site's secret lies where that of the backup belongs. An empty one, as a power cut leaves it, is none. */
export async function hasOtherSecret(config: Config, path: string, manifest: Manifest): Promise<boolean> {
  const file = sessionSecretFile(config.dataDirectory)
  if (config.sessionSecret !== null || !holdsSecret(manifest) || !existsSync(file)) return false
  const present = await readFile(file, 'utf8')
  return present.trim() !== '' && present !== (await readFile(join(path, SECRET), 'utf8'))
}

/** A file has a second name from now on, which it keeps when another takes its place. Where there are no links it has the new name alone. */
export async function keepAside(file: string, ending: string): Promise<void> {
  if (existsSync(file)) await link(file, `${file}.${ending}`).catch(() => rename(file, `${file}.${ending}`))
}

async function putMedia(
  config: Config,
  { path, manifest, draft }: { path: string; manifest: Manifest; draft: string | null },
): Promise<FilesOfBackup['media']> {
  const archive = draft === null ? createMediaArchive(config) : createDiskArchive(draft)
  try {
    return await restoreMedia(archive, path, manifest)
  } finally {
    archive.close()
  }
}

/** What becomes of it. Call it once `hasOtherSecret` is settled: one that is there and not set aside is the same, or empty. */
async function secretOf(
  { dataDirectory, sessionSecret }: Config,
  { manifest, aside }: { manifest: Manifest; aside: string | null },
): Promise<FilesOfBackup['secret']> {
  if (sessionSecret !== null) return 'elsewhere'
  if (!holdsSecret(manifest)) return 'none'
  if (aside !== null) return 'restored'
  const present = await readFile(sessionSecretFile(dataDirectory), 'utf8').catch(() => '')
  return present.trim() === '' ? 'restored' : 'kept'
}

function holdsSecret({ files }: Manifest): boolean {
  return files.some((file) => file.path === SECRET)
}
