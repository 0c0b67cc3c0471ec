import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { flush } from '../platform/flush.ts'
import { isPartOf, type ListedFile, PARTS_FOLDERS, picturesAmong, SIZES_FOLDER } from './picture-files.rules.ts'
import type { MediaStore } from './media-store.ts'

/** Addresses of pictures on the disk begin with this (`media-files.ts` answers them). */
export const MEDIA_PATH = '/media/'

/** Pictures in `DATA_DIR/media/{bucket}/{folder}/`. */
export function createDiskStore(directory: string): MediaStore {
  return {
    async list(bucket, folder) {
      const path = join(directory, bucket, folder)
      const sizes = await namesIn(join(path, SIZES_FOLDER))
      const names = [...(await namesIn(path)), ...sizes.map((name) => `${SIZES_FOLDER}/${name}`)]
      const files = await Promise.all(names.map((name) => describe(path, `${bucket}/${folder}`, name)))
      return picturesAmong(
        folder,
        files.filter((file) => file !== null),
      )
    },

    async put(bucket, folder, { filename, files }) {
      const path = join(directory, bucket, folder)
      const folders = new Set(files.map(({ name }) => dirname(join(path, name))))
      await Promise.all([...folders].map((one) => mkdir(one, { recursive: true })))
      for (const { name, bytes } of files) {
        // Nobody ever reads half a picture, and a power cut leaves none.
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
      const isThere = (await namesIn(path)).includes(filename)
      return isThere ? [filename, ...(await partsOf(path, filename))] : []
    },

    read: (bucket, folder, name) => readFile(join(directory, bucket, folder, name)),

    close() {},
  }
}

/** The files that belong to a picture besides itself, within its folder. */
async function partsOf(path: string, filename: string): Promise<string[]> {
  const found = await Promise.all(
    PARTS_FOLDERS.map(async (part) => (await namesIn(join(path, part))).map((name) => `${part}/${name}`)),
  )
  return found.flat().filter((name) => isPartOf(filename, name))
}

function addressOf(folder: string, name: string): string {
  return `${MEDIA_PATH}${folder}/${name.split('/').map(encodeURIComponent).join('/')}`
}

async function describe(path: string, folder: string, name: string): Promise<ListedFile | null> {
  try {
    const { size, mtimeMs } = await stat(join(path, name))
    return { name, size, modifiedAt: mtimeMs, url: `${addressOf(folder, name)}?v=${versionOf({ size, mtimeMs })}` }
  } catch {
    // It was taken away meanwhile, or is a link to nothing.
    return null
  }
}

/** Changes with the file, so that browsers may keep it for good under an address that carries it. */
export function versionOf({ size, mtimeMs }: { size: number; mtimeMs: number }): string {
  return `${Math.floor(mtimeMs).toString(36)}-${size.toString(36)}`
}

/** Files only; a folder that does not exist is empty. */
async function namesIn(path: string): Promise<string[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
