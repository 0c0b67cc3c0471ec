import type { Readable } from 'node:stream'

/** A file of the media store. */
export interface MediaFile {
  /** Bucket and key, such as `home/gallery/lamp.jpg`. */
  path: string
  bytes: number
  /** Changes with the file. */
  version: string
}

/** Reads and restores all files of the media store. Never overwrites existing files. */
export interface MediaArchive {
  list(): AsyncIterable<MediaFile>
  /** Returns null if the file was deleted: a running site may delete pictures during a backup. */
  read(path: string): Promise<Readable | null>
  /** Returns false, and changes nothing, if a file of that name exists. On disk, an empty file counts as missing. */
  add(path: string, source: string): Promise<boolean>
  close(): void
}
