import type { Bucket, Folder, StoredImage } from '#contract/media.ts'

/** One file of a picture: the picture itself, one of its sizes, or its original. */
export interface PictureFile {
  /** Within its folder, such as `lamp.jpg` or `_sizes/lamp.jpg.480.webp`. */
  name: string
  contentType: string
  bytes: Buffer
}

/** A picture that was checked and made ready (`prepare-picture.ts`), the picture itself last. */
export interface PreparedPicture {
  filename: string
  files: PictureFile[]
}

/** Where pictures lie: a folder on the disk, or object storage. Callers pass only what `mediaFolders` allows (docs/product-rules.md#buckets). */
export interface MediaStore {
  /**
   * By file name; what is no picture is left out.
   * @throws when the store does not answer within its time limit, or answers nonsense
   */
  list(bucket: Bucket, folder: Folder): Promise<StoredImage[]>
  /** Replaces a picture of the same name with all its files: sizes and an original that are not given are gone. Answers its address. */
  put(bucket: Bucket, folder: Folder, picture: PreparedPicture): Promise<string>
  /** The names of all files of a picture within its folder: itself, its sizes, its original. Empty when there is none. */
  files(bucket: Bucket, folder: Folder, filename: string): Promise<string[]>
  /** @throws when there is no such file */
  read(bucket: Bucket, folder: Folder, name: string): Promise<Buffer>
  /** Deletes a picture, its sizes and its original; one that is not there is no failure. */
  remove(bucket: Bucket, folder: Folder, filename: string): Promise<void>
  /** Ends connections. */
  close(): void
}
