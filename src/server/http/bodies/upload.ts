import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Endpoint } from '#contract/endpoint.ts'
import { Problem } from '../platform/problem.ts'

/**
 * The whole of a body that was left unread so far.
 * @throws Problem TOO_LARGE as soon as it is, whatever it announced, with the endpoint's own sentence
 */
export async function readUpload(body: unknown, endpoint: Endpoint): Promise<Buffer> {
  if (!(body instanceof Readable)) return Buffer.alloc(0)
  const chunks: Buffer[] = []
  for await (const chunk of limited(body, endpoint)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/**
 * The same, written to a new file as it arrives: many large bodies at once take no memory. An empty file where there is none.
 * @throws Problem TOO_LARGE
 */
export async function saveUpload(body: unknown, endpoint: Endpoint, path: string): Promise<void> {
  const chunks = body instanceof Readable ? limited(body, endpoint) : []
  await pipeline(chunks, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
}

async function* limited(body: Readable, { uploadBytes = 0, tooLarge }: Endpoint): AsyncGenerator<Buffer> {
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > uploadBytes) throw new Problem('TOO_LARGE', tooLarge === undefined ? {} : { message: tooLarge })
    yield chunk
  }
}
