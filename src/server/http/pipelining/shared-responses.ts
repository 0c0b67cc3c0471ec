import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  addBrotli,
  type PreparedResponse,
  responseBytes,
  prepareResponse,
  isFresh,
  etagPrefix,
} from '#server/pages/prepared-response.ts'
import { gzipAsync } from '#server/pages/encodings.ts'
import { selectRepresentation } from '#server/pages/send-response.ts'

export const JSON_TYPE = 'application/json; charset=utf-8'

/** Minimum size in bytes for caching and compressing a response. */
export const MIN_SHARED_BYTES = 16 * 1024
const MAX_CACHE_BYTES = 8 * 1024 * 1024

/** Creates a cacheable response with an ETag, compressed in advance if large enough. */
export async function createSharedResponse(contentType: string, text: string): Promise<PreparedResponse> {
  const body = Buffer.from(text)
  const compressible = body.length >= MIN_SHARED_BYTES
  const content = { status: 200, contentType, body, headers: [], compressible }
  if (!compressible) return prepareResponse(content)
  const response = prepareResponse({ ...content, gzip: await gzipAsync(body) })
  await addBrotli(response, content)
  return response
}

/** Sends the client's preferred encoding, or 304. Headers common to all responses are added by hooks, as for any reply. */
export function sendSharedResponse(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  response: PreparedResponse,
): FastifyReply {
  const encoding = selectRepresentation(response, headers['accept-encoding'])
  const ifNoneMatch = headers['if-none-match']
  const isUnchanged = ifNoneMatch !== undefined && isFresh(response, ifNoneMatch)
  const pairs = isUnchanged ? encoding.notModifiedHeaders : encoding.headers
  for (let index = 0; index < pairs.length; index += 2) void reply.header(pairs[index] ?? '', pairs[index + 1])
  return isUnchanged ? reply.code(304).send() : reply.code(response.status).send(encoding.body)
}

/** Caches large, mostly identical responses by content; evicts the least recently used. */
export class SharedResponseCache {
  readonly #entries = new Map<string, { making: Promise<PreparedResponse>; bytes: number }>()
  #bytes = 0

  async getOrCreate(contentType: string, text: string): Promise<PreparedResponse> {
    const key = `${contentType} ${etagPrefix(Buffer.from(text))}`
    const cached = this.#entries.get(key)
    if (cached) {
      this.#entries.delete(key)
      this.#entries.set(key, cached)
      return cached.making
    }
    const entry = { making: createSharedResponse(contentType, text), bytes: 0 }
    this.#entries.set(key, entry)
    try {
      const response = await entry.making
      if (this.#entries.get(key) === entry) {
        entry.bytes = responseBytes(response)
        this.#bytes += entry.bytes
        this.#evict()
      }
      return response
    } catch (error) {
      this.#entries.delete(key)
      throw error
    }
  }

  #evict(): void {
    for (const [key, { bytes }] of this.#entries) {
      if (this.#bytes <= MAX_CACHE_BYTES) return
      this.#entries.delete(key)
      this.#bytes -= bytes
    }
  }
}
