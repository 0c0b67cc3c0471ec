import type { FastifyReply, FastifyRequest } from 'fastify'
import { addBrotli, type Answer, bytesOf, createAnswer, isFresh, tagOf } from '../pages/answer.ts'
import { gzipLater } from '../pages/encodings.ts'
import { choose } from '../pages/send-answer.ts'

export const JSON_TYPE = 'application/json; charset=utf-8'

/** From so many bytes on, everybody who asks for the same gets the same compressed bytes. */
export const SHARED_FROM = 16 * 1024
const MAXIMUM_BYTES = 8 * 1024 * 1024

/** A text in one buffer for everybody who asks for it, with its ETag, compressed beforehand where that is worth it. */
export async function makeSharedAnswer(contentType: string, text: string): Promise<Answer> {
  const body = Buffer.from(text)
  const compressible = body.length >= SHARED_FROM
  const content = { status: 200, contentType, body, headers: [], compressible }
  if (!compressible) return createAnswer(content)
  const answer = createAnswer({ ...content, gzip: await gzipLater(body) })
  await addBrotli(answer, content)
  return answer
}

/** Sends it in the form that is liked best, or 304. Headers that every answer of the application carries are put on by its hooks, as for any reply. */
export function sendSharedAnswer({ headers }: FastifyRequest, reply: FastifyReply, answer: Answer): FastifyReply {
  const form = choose(answer, headers['accept-encoding'])
  const ifNoneMatch = headers['if-none-match']
  const isKnown = ifNoneMatch !== undefined && isFresh(answer, ifNoneMatch)
  const pairs = isKnown ? form.notModifiedHeaders : form.headers
  for (let at = 0; at < pairs.length; at += 2) void reply.header(pairs[at] ?? '', pairs[at + 1])
  return isKnown ? reply.code(304).send() : reply.code(answer.status).send(form.body)
}

/** Large answers that are made anew for each request and are mostly the same: by their content, those asked for last. */
export class SharedAnswers {
  readonly #kept = new Map<string, { making: Promise<Answer>; bytes: number }>()
  #bytes = 0

  async of(contentType: string, text: string): Promise<Answer> {
    const key = `${contentType} ${tagOf(Buffer.from(text))}`
    const known = this.#kept.get(key)
    if (known) {
      this.#kept.delete(key)
      this.#kept.set(key, known)
      return known.making
    }
    const kept = { making: makeSharedAnswer(contentType, text), bytes: 0 }
    this.#kept.set(key, kept)
    try {
      const answer = await kept.making
      if (this.#kept.get(key) === kept) {
        kept.bytes = bytesOf(answer)
        this.#bytes += kept.bytes
        this.#makeRoom()
      }
      return answer
    } catch (error) {
      this.#kept.delete(key)
      throw error
    }
  }

  #makeRoom(): void {
    for (const [key, { bytes }] of this.#kept) {
      if (this.#bytes <= MAXIMUM_BYTES) return
      this.#kept.delete(key)
      this.#bytes -= bytes
    }
  }
}
