import { Readable } from 'node:stream'
import type { Endpoint } from '#contract/endpoint.ts'
import { Problem } from '../platform/problem.ts'

/**
 * The whole of a body that was left unread so far.
 * @throws Problem TOO_LARGE as soon as it is, whatever it announced, with the endpoint's own sentence
 */
export async function readUpload(body: unknown, { uploadBytes = 0, tooLarge }: Endpoint): Promise<Buffer> {
  if (!(body instanceof Readable)) return Buffer.alloc(0)
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > uploadBytes) throw new Problem('TOO_LARGE', tooLarge === undefined ? {} : { message: tooLarge })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
