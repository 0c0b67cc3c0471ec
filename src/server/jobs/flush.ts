import { open } from 'node:fs/promises'

/** Syncs a file or directory to disk, so that it survives a power failure. */
export async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
