import { join } from 'node:path'
import type { Config } from '#server/config/config.ts'
import { createDiskArchive } from './disk-archive.ts'
import { createDiskStore } from './disk-store.ts'
import type { MediaArchive } from './media-archive.ts'
import type { MediaStore } from './media-store.ts'
import { createS3Archive } from './s3-archive.ts'
import { createS3Store } from './s3-store.ts'

/** Object storage if configured, else the data folder. */
export function createMediaStore({ storage, dataDirectory }: Config): MediaStore {
  return storage ? createS3Store(storage) : createDiskStore(mediaDirectory(dataDirectory))
}

/** The archive of the same storage, for backup and restore. */
export function createMediaArchive({ storage, dataDirectory }: Config): MediaArchive {
  return storage ? createS3Archive(storage) : createDiskArchive(mediaDirectory(dataDirectory))
}

/** Uploads are queued here for processing: on disk, because the system's temporary folder may be in memory. */
export function uploadDirectory(dataDirectory: string): string {
  return join(dataDirectory, 'uploads')
}

export function mediaDirectory(dataDirectory: string): string {
  return join(dataDirectory, 'media')
}
