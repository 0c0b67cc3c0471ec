import { existsSync } from 'node:fs'
import { link, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { sessionSecretFile } from '../config/session-secret.ts'
import { createMediaArchive, mediaDirectory } from '#server/media-store/create-media-store.ts'
import { createDiskArchive } from '#server/media-store/disk-archive.ts'
import { flush } from '#server/jobs/flush.ts'
import { writeChecked } from './checked-file.ts'
import type { Manifest } from './manifest.ts'
import { restoreMedia } from './media-copies.ts'

const SECRET = 'session-secret'
const PREPARED = '.restoring'

/** Media and the session secret of a backup, prepared next to their destinations. */
export interface PreparedFiles {
  media: { added: number; present: number }
  /** `kept`: an identical secret existed; `elsewhere`: it is set in the environment. */
  secret: 'restored' | 'kept' | 'elsewhere' | 'none'
  /** Moves the files to their destinations, using renames only. */
  install(): Promise<void>
  /** Deletes prepared files that were not placed. */
  discard(): Promise<void>
}

/**
 * Does everything slow or fallible before touching existing data. When there is no existing data, media are restored directly, and so are objects in buckets:
 * existing ones are never overwritten.
 * @param aside suffix for existing files; null when there are none
 */
export async function prepareFiles(
  config: Config,
  { path, manifest, aside }: { path: string; manifest: Manifest; aside: string | null },
): Promise<PreparedFiles> {
  const { dataDirectory, storage } = config
  const secretFile = sessionSecretFile(dataDirectory)
  const mediaFolder = mediaDirectory(dataDirectory)
  const preparedPaths = [secretFile + PREPARED, mediaFolder + PREPARED]
  async function discard(): Promise<void> {
    for (const prepared of preparedPaths) await rm(prepared, { recursive: true, force: true })
  }

  await discard()
  try {
    const media = await putMedia(config, {
      path,
      manifest,
      prepared: aside && !storage ? mediaFolder + PREPARED : null,
    })
    const secret = await planSecret(config, { manifest, aside })
    if (secret === 'restored') await writeChecked(secretFile + PREPARED, [await readFile(join(path, SECRET))])
    return {
      media,
      secret,
      discard,
      async install() {
        if (aside && !storage && existsSync(mediaFolder)) await rename(mediaFolder, `${mediaFolder}.${aside}`)
        if (existsSync(mediaFolder + PREPARED)) await rename(mediaFolder + PREPARED, mediaFolder)
        if (aside) await linkAside(secretFile, aside)
        if (existsSync(secretFile + PREPARED)) await rename(secretFile + PREPARED, secretFile)
        else if (aside) await rm(secretFile, { force: true })
        await flush(dataDirectory)
      },
    }
  } catch (error) {
    await discard()
    throw error
  }
}

/** Whether a different secret exists where the backup's belongs. An empty file, as a power failure may leave it, does not count. */
export async function hasOtherSecret(config: Config, path: string, manifest: Manifest): Promise<boolean> {
  const file = sessionSecretFile(config.dataDirectory)
  if (config.sessionSecret !== null || !holdsSecret(manifest) || !existsSync(file)) return false
  const present = await readFile(file, 'utf8')
  return present.trim() !== '' && present !== (await readFile(join(path, SECRET), 'utf8'))
}

/** Gives a file a second name (a hard link), which it keeps when it is replaced. Without hard link support it is renamed. */
export async function linkAside(file: string, ending: string): Promise<void> {
  if (existsSync(file)) await link(file, `${file}.${ending}`).catch(() => rename(file, `${file}.${ending}`))
}

async function putMedia(
  config: Config,
  { path, manifest, prepared }: { path: string; manifest: Manifest; prepared: string | null },
): Promise<PreparedFiles['media']> {
  const archive = prepared === null ? createMediaArchive(config) : createDiskArchive(prepared)
  try {
    return await restoreMedia(archive, path, manifest)
  } finally {
    archive.close()
  }
}

/** How the secret will be restored. Requires that `hasOtherSecret` was handled: an existing secret that is not moved aside is identical or empty. */
async function planSecret(
  { dataDirectory, sessionSecret }: Config,
  { manifest, aside }: { manifest: Manifest; aside: string | null },
): Promise<PreparedFiles['secret']> {
  if (sessionSecret !== null) return 'elsewhere'
  if (!holdsSecret(manifest)) return 'none'
  if (aside !== null) return 'restored'
  const present = await readFile(sessionSecretFile(dataDirectory), 'utf8').catch(() => '')
  return present.trim() === '' ? 'restored' : 'kept'
}

function holdsSecret({ files }: Manifest): boolean {
  return files.some((file) => file.path === SECRET)
}
