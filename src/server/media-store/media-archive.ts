import type { Readable } from 'node:stream'

/** One file of the store, whatever it is. */
export interface MediaFile {
  /** Bucket and name, such as `home/gallery/lamp.jpg`. */
  path: string
  bytes: number
  /** Changes with the file. */
  version: string
}

/** Every file of the store, for copies of it. What is there already is never overwritten. */
export interface MediaArchive {
  list(): AsyncIterable<MediaFile>
  /** null when it is gone: a site that runs deletes pictures while they are copied. */
  read(path: string): Promise<Readable | null>
  /** False when there is a file of that name already: it stays as it is, also when it differs. On a disk an empty file counts as missing. */
  add(path: string, source: string): Promise<boolean>
  close(): void
}
