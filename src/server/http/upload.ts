import { Readable } from 'node:stream'
import { Problem } from '../platform/problem.ts'

/** The whole of a body that was left unread so far. @throws Problem TOO_LARGE as soon as it is, whatever it announced */
export async function readUpload(body: unknown, mostBytes: number): Promise<Buffer> {
  if (!(body instanceof Readable)) return Buffer.alloc(0)
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > mostBytes) throw new Problem('TOO_LARGE')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
