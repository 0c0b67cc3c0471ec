import { copyFile, mkdir, open, readdir, rename, stat } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { flush } from '#server/jobs/flush.ts'
import { fileVersion } from './disk-store.ts'
import type { MediaArchive } from './media-archive.ts'

/** All files below the media folder. */
export function createDiskArchive(directory: string): MediaArchive {
  function inside(path: string): string {
    const file = resolve(directory, path)
    if (!file.startsWith(resolve(directory) + sep)) throw new Error(`${path} is outside the media folder`)
    return file
  }

  return {
    async *list() {
      const entries = await readdir(directory, { withFileTypes: true, recursive: true }).catch(
        (error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT' && error.path === directory) return []
          throw error
        },
      )
      for (const entry of entries) {
        // Skip symbolic links and files that are still being written.
        if (!entry.isFile() || entry.name.endsWith('.part')) continue
        const file = join(entry.parentPath, entry.name)
        const stats = await stat(file).catch(nullIfMissing)
        if (!stats) continue
        yield {
          path: file.slice(directory.length + 1).replaceAll(sep, '/'),
          bytes: stats.size,
          version: fileVersion(stats),
        }
      }
    },

    async read(path) {
      const file = await open(inside(path)).catch(nullIfMissing)
      return file?.createReadStream() ?? null
    },

    async add(path, source) {
      const file = inside(path)
      // An empty file is left from a power failure: repeating a restore repairs it.
      if (((await stat(file).catch(() => null))?.size ?? 0) > 0) return false
      await mkdir(dirname(file), { recursive: true })
      await copyFile(source, `${file}.part`)
      await flush(`${file}.part`)
      await rename(`${file}.part`, file)
      await flush(dirname(file))
      return true
    },

    close() {},
  }
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
