import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { createDiskArchive } from './disk-archive.ts'
import { createDiskStore } from './disk-store.ts'
import type { MediaArchive } from './media-archive.ts'
import type { MediaStore } from './media-store.ts'
import { createS3Archive } from './s3-archive.ts'
import { createS3Store } from './s3-store.ts'

/** Object storage where the settings name it, else the data folder. */
export function createMediaStore({ storage, dataDirectory }: Config): MediaStore {
  return storage ? createS3Store(storage) : createDiskStore(mediaDirectory(dataDirectory))
}

/** The same place, for copies of all that lies there. */
export function createMediaArchive({ storage, dataDirectory }: Config): MediaArchive {
  return storage ? createS3Archive(storage) : createDiskArchive(mediaDirectory(dataDirectory))
}

/** Where pictures wait until they are prepared: on the disk, since a temporary folder may lie in memory. */
export function uploadDirectory(dataDirectory: string): string {
  return join(dataDirectory, 'uploads')
}

export function mediaDirectory(dataDirectory: string): string {
  return join(dataDirectory, 'media')
}
