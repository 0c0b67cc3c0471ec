import { open } from 'node:fs/promises'

/** What was written into a file, or which names a folder has, outlives a power cut from now on. */
export async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
