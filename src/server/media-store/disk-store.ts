import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { flush } from '#server/jobs/flush.ts'
import {
  isDerivedFile,
  type ListedFile,
  DERIVED_FOLDERS,
  selectPictures,
  SIZES_FOLDER,
} from './pictures/picture-files.rules.ts'
import type { MediaStore } from './media-store.ts'

/** The URL prefix of pictures on disk (served by `media-files.ts`). */
export const MEDIA_PATH = '/media/'

/** Stores pictures in `DATA_DIR/media/{bucket}/{folder}/`. */
export function createDiskStore(directory: string): MediaStore {
  return {
    async list(bucket, folder) {
      const path = join(directory, bucket, folder)
      const sizes = await namesIn(join(path, SIZES_FOLDER))
      const names = [...(await namesIn(path)), ...sizes.map((name) => `${SIZES_FOLDER}/${name}`)]
      const files = await Promise.all(names.map((name) => describe(path, `${bucket}/${folder}`, name)))
      return selectPictures(
        folder,
        files.filter((file) => file !== null),
      )
    },

    async put(bucket, folder, { filename, files }) {
      const path = join(directory, bucket, folder)
      const folders = new Set(files.map(({ name }) => dirname(join(path, name))))
      await Promise.all([...folders].map((one) => mkdir(one, { recursive: true })))
      for (const { name, bytes } of files) {
        // Write and rename: a reader or a power failure never sees half a picture.
        await writeFile(join(path, `${name}.part`), bytes, { flush: true })
        await rename(join(path, `${name}.part`), join(path, name))
      }
      await Promise.all([...folders].map(flush))
      const outdated = (await partsOf(path, filename)).filter((name) => !files.some((file) => file.name === name))
      await Promise.all(outdated.map((name) => rm(join(path, name), { force: true })))
      return addressOf(`${bucket}/${folder}`, filename)
    },

    async remove(bucket, folder, filename) {
      const path = join(directory, bucket, folder)
      const parts = await partsOf(path, filename)
      await Promise.all([filename, ...parts].map((name) => rm(join(path, name), { force: true })))
    },

    async files(bucket, folder, filename) {
      const path = join(directory, bucket, folder)
      const exists = (await namesIn(path)).includes(filename)
      return exists ? [filename, ...(await partsOf(path, filename))] : []
    },

    read: (bucket, folder, name) => readFile(join(directory, bucket, folder, name)),

    close() {},
  }
}

/** The sizes and the original of a picture, relative to its folder. */
async function partsOf(path: string, filename: string): Promise<string[]> {
  const found = await Promise.all(
    DERIVED_FOLDERS.map(async (part) => (await namesIn(join(path, part))).map((name) => `${part}/${name}`)),
  )
  return found.flat().filter((name) => isDerivedFile(filename, name))
}

function addressOf(folder: string, name: string): string {
  return `${MEDIA_PATH}${folder}/${name.split('/').map(encodeURIComponent).join('/')}`
}

async function describe(path: string, folder: string, name: string): Promise<ListedFile | null> {
  try {
    const { size, mtimeMs } = await stat(join(path, name))
    return { name, size, modifiedAt: mtimeMs, url: `${addressOf(folder, name)}?v=${fileVersion({ size, mtimeMs })}` }
  } catch {
    // Deleted in the meantime, or a broken link.
    return null
  }
}

/** Changes with the file, so that browsers can cache a versioned URL forever. */
export function fileVersion({ size, mtimeMs }: { size: number; mtimeMs: number }): string {
  return `${Math.floor(mtimeMs).toString(36)}-${size.toString(36)}`
}

/** Files only; empty if the folder does not exist. */
async function namesIn(path: string): Promise<string[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
