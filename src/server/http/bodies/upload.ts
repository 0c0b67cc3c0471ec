import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Endpoint } from '#contract/endpoint.ts'
import { Problem } from '#server/lib/problem.ts'

/**
 * Reads an unread body completely.
 * @throws Problem TOO_LARGE as soon as the limit is exceeded, whatever the content length, with the endpoint's own message
 */
export async function readUpload(body: unknown, endpoint: Endpoint): Promise<Buffer> {
  if (!(body instanceof Readable)) return Buffer.alloc(0)
  const chunks: Buffer[] = []
  for await (const chunk of limitSize(body, endpoint)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/**
 * Streams the body to a new file, so that many large uploads use little memory. Creates an empty file when there is no body.
 * @throws Problem TOO_LARGE
 */
export async function saveUpload(body: unknown, endpoint: Endpoint, path: string): Promise<void> {
  const chunks = body instanceof Readable ? limitSize(body, endpoint) : []
  await pipeline(chunks, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
}

async function* limitSize(body: Readable, { uploadBytes = 0, tooLarge }: Endpoint): AsyncGenerator<Buffer> {
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > uploadBytes) throw new Problem('TOO_LARGE', tooLarge === undefined ? {} : { message: tooLarge })
    yield chunk
  }
}
