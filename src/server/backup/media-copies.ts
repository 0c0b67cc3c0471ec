import { existsSync } from 'node:fs'
import { copyFile, link, mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { MediaArchive, MediaFile } from '#server/media-store/media-archive.ts'
import { measureFile, writeChecked } from './checked-file.ts'
import { mediaPath, type Manifest, type MediaEntry } from './manifest.ts'

/** The backup before this one, or the part of this one written so far. */
export interface PreviousBackup {
  path: string
  manifest: Pick<Manifest, 'media'>
}

const INCOMING = 'media/incoming'

/**
 * Adds every media file to the backup under its checksum. A file that the previous backup holds in the same version is not copied: both share its bytes on disk
 * (a hard link), after its checksum is verified.
 */
export async function backUpMedia(
  archive: MediaArchive,
  directory: string,
  previous: PreviousBackup | null,
): Promise<MediaEntry[]> {
  await mkdir(join(directory, 'media'), { mode: 0o700, recursive: true })
  const known = new Map(previous?.manifest.media.map((entry) => [entry.path, entry]))
  const entries: MediaEntry[] = []
  for await (const file of archive.list()) {
    const before = known.get(file.path)
    const isShared = previous !== null && before?.version === file.version && (await share(before, previous, directory))
    const entry = isShared && before ? before : await copy(archive, file, directory)
    if (entry) entries.push(entry)
  }
  return entries
}

/** Returns false when the previous backup's copy is damaged or missing. */
async function share(entry: MediaEntry, previous: PreviousBackup, directory: string): Promise<boolean> {
  const target = join(directory, mediaPath(entry))
  if (existsSync(target)) return true
  const source = join(previous.path, mediaPath(entry))
  if ((await measureFile(source))?.sha256 !== entry.sha256) return false
  // Not every file system supports hard links.
  await link(source, target).catch(() => copyFile(source, target))
  return true
}

/** Returns null when the file was deleted after it was listed. */
async function copy(
  archive: MediaArchive,
  { path, version }: MediaFile,
  directory: string,
): Promise<MediaEntry | null> {
  const source = await archive.read(path)
  if (!source) return null
  const incoming = join(directory, INCOMING)
  const measured = await writeChecked(incoming, source)
  await rename(incoming, join(directory, mediaPath(measured)))
  return { path, version, ...measured }
}

/** Restores missing media; existing files are left unchanged. Returns how many were added and how many existed. */
export async function restoreMedia(
  archive: MediaArchive,
  backup: string,
  manifest: Manifest,
): Promise<{ added: number; present: number }> {
  let added = 0
  for (const entry of manifest.media) if (await archive.add(entry.path, join(backup, mediaPath(entry)))) added++
  return { added, present: manifest.media.length - added }
}
