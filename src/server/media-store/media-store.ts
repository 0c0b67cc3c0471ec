import type { Bucket, Folder, StoredImage } from '#contract/public/media.ts'

/** A folder of pictures, or that of PDF documents, which visitors cannot read directly. */
export type StoreFolder = Folder | 'documents'

/** One file of a picture: the picture itself, one of its sizes, or its original. */
export interface PictureFile {
  /** Relative to its folder, such as `lamp.jpg` or `_sizes/lamp.jpg.480.webp`. */
  name: string
  contentType: string
  bytes: Buffer
}

/** A checked and processed picture (`prepare-picture.ts`); the picture itself is the last file. */
export interface PreparedPicture {
  filename: string
  files: PictureFile[]
}

/** Stores pictures on disk or in object storage. Callers pass only buckets and folders of `mediaFolders` (docs/product-rules.md#buckets). */
export interface MediaStore {
  /**
   * Lists the pictures by file name; skips other files.
   * @throws if the store times out or its response is invalid
   */
  list(bucket: Bucket, folder: Folder): Promise<StoredImage[]>
  /** Stores a picture. Replaces one of the same name and deletes its other sizes and original. Returns its URL. */
  put(bucket: Bucket, folder: StoreFolder, picture: PreparedPicture): Promise<string>
  /** The names of all files of a picture: itself, its sizes and its original. Empty if it does not exist. */
  files(bucket: Bucket, folder: Folder, filename: string): Promise<string[]>
  /** @throws if the file does not exist */
  read(bucket: Bucket, folder: StoreFolder, name: string): Promise<Buffer>
  /** Deletes a picture, its sizes and its original. A no-op if it does not exist. */
  remove(bucket: Bucket, folder: StoreFolder, filename: string): Promise<void>
  /** Closes connections. */
  close(): void
}
