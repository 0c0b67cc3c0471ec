import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { createDiskStore } from './disk-store.ts'
import type { MediaStore } from './media-store.ts'
import { createS3Store } from './s3-store.ts'

/** Object storage where the settings name it, else the data folder (design 2). */
export function createMediaStore({ storage, dataDirectory }: Config): MediaStore {
  return storage ? createS3Store(storage) : createDiskStore(mediaDirectory(dataDirectory))
}

export function mediaDirectory(dataDirectory: string): string {
  return join(dataDirectory, 'media')
}
