import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'

export interface FileFacts {
  bytes: number
  sha256: string
}

type Chunks = AsyncIterable<Buffer> | Iterable<Buffer>

/** Writes a new file that its owner alone may read, down to the disk, and answers what was written. */
export async function writeChecked(path: string, chunks: Chunks, { gzip = false } = {}): Promise<FileFacts> {
  const hash = createHash('sha256')
  let bytes = 0
  async function* measured(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      hash.update(chunk)
      bytes += chunk.length
      yield chunk
    }
  }
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })
  if (gzip) await pipeline(chunks, createGzip(), measured, file)
  else await pipeline(chunks, measured, file)
  return { bytes, sha256: hash.digest('hex') }
}

/** Reads a whole file for its size and checksum; null when there is none. */
export async function measureFile(path: string): Promise<FileFacts | null> {
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

/** Unpacks into a new file, down to the disk. */
export async function unpack(packed: string, path: string): Promise<void> {
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })
  await pipeline(createReadStream(packed), createGunzip(), file)
}
