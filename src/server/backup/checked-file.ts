import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'

export interface FileChecksum {
  bytes: number
  sha256: string
}

type Chunks = AsyncIterable<Buffer> | Iterable<Buffer>

/** Writes a new file, readable only by its owner, syncs it to disk, and returns its size and checksum. */
export async function writeChecked(path: string, chunks: Chunks, { gzip = false } = {}): Promise<FileChecksum> {
  const hash = createHash('sha256')
  let bytes = 0
  async function* measure(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      hash.update(chunk)
      bytes += chunk.length
      yield chunk
    }
  }
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })
  if (gzip) await pipeline(chunks, createGzip(), measure, file)
  else await pipeline(chunks, measure, file)
  return { bytes, sha256: hash.digest('hex') }
}

/** Reads a file for its size and checksum; null when it does not exist. */
export async function measureFile(path: string): Promise<FileChecksum | null> {
  const hash = createHash('sha256')
  let bytes = 0
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      hash.update(chunk)
      bytes += chunk.length
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  return { bytes, sha256: hash.digest('hex') }
}

/** Unpacks into a new file and syncs it to disk. */
export async function unpack(source: string, path: string): Promise<void> {
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })
  await pipeline(createReadStream(source), createGunzip(), file)
}
