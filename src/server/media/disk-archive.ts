import { createReadStream } from 'node:fs'
import { copyFile, mkdir, readdir, rename, stat } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { versionOf } from './disk-store.ts'
import type { MediaArchive } from './media-archive.ts'

/** Every file below the folder of media. */
export function createDiskArchive(directory: string): MediaArchive {
  function inside(path: string): string {
    const file = resolve(directory, path)
    if (!file.startsWith(resolve(directory) + sep)) throw new Error(`${path} is not within the media folder`)
    return file
  }

  return {
    async *list() {
      const entries = await readdir(directory, { withFileTypes: true, recursive: true }).catch(
        (error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT') return []
          throw error
        },
      )
      for (const entry of entries) {
        // Links are not followed, and what is just being written has no name yet.
        if (!entry.isFile() || entry.name.endsWith('.part')) continue
        const file = join(entry.parentPath, entry.name)
        const stats = await stat(file)
        yield {
          path: file.slice(directory.length + 1).replaceAll(sep, '/'),
          bytes: stats.size,
          version: versionOf(stats),
        }
      }
    },

    read: async (path) => createReadStream(inside(path)),

    async add(path, source) {
      const file = inside(path)
      if (await stat(file).catch(() => null)) return false
      await mkdir(dirname(file), { recursive: true })
      await copyFile(source, `${file}.part`)
      await rename(`${file}.part`, file)
      return true
    },

    close() {},
  }
}
