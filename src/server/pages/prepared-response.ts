import { createHash } from 'node:crypto'
import type { Header } from '../http/security-headers.ts'
import { brotli, type Encoding, gzip, unbrotli } from './encodings.ts'

/** One form of an answer, finished: nothing about it is worked out while a request waits. */
export interface Representation {
  /** Names and values in turn, everything but date and connection. */
  headers: string[]
  /** The same for 304. */
  notModifiedHeaders: string[]
  body: Buffer
  /** Head and body in one piece, with the date of `wireSecond`; made when first needed. */
  wire: Buffer | null
  wireSecond: number
}

export interface Answer {
  status: number
  /** What the ETags begin with; they end with the encoding. */
  tag: string
  /** Of these forms only the smallest is held; asking for another makes it. */
  isPacked: boolean
  representations: { identity: Representation; gzip: Representation | null; br: Representation | null }
}

export interface Content {
  status: number
  contentType: string
  body: Buffer
  /** Security, caching and whatever else is the same in every encoding. */
  headers: readonly Header[]
  /** False for what is compressed already, as pictures and fonts are. */
  compressible: boolean
  /** Compressed beforehand. */
  gzip?: Buffer
}

export function createAnswer(content: Content): Answer {
  const tag = tagOf(content.body)
  return {
    status: content.status,
    tag,
    isPacked: false,
    representations: {
      identity: represent(content, tag, 'identity', content.body),
      gzip: content.gzip ? represent(content, tag, 'gzip', content.gzip) : null,
      br: null,
    },
  }
}

/**
 * For a file that stays as it is: only the smallest form is kept, which is the one that browsers ask for. The others are made from it for the first one who
 * takes no other.
 */
export function createPackedAnswer({ body, ...content }: Content, br: Buffer): Answer {
  const tag = tagOf(body)
  const made: { identity?: Representation; gzip?: Representation } = {}
  return {
    status: content.status,
    tag,
    isPacked: true,
    representations: {
      br: represent(content, tag, 'br', br),
      get gzip() {
        return (made.gzip ??= represent(content, tag, 'gzip', gzip(unbrotli(br))))
      },
      get identity() {
        return (made.identity ??= represent(content, tag, 'identity', unbrotli(br)))
      },
    },
  }
}

/** What the ETags of these bytes begin with. */
export function tagOf(body: Buffer): string {
  return createHash('sha256').update(body).digest('base64url').slice(0, 16)
}

/** Adds the smallest form, which takes a while; until then the answer goes out in the next best. */
export async function addBrotli(answer: Answer, content: Content): Promise<void> {
  answer.representations.br = represent(content, answer.tag, 'br', await brotli(content.body))
}

/** What it holds in memory. */
export function bytesOf({ representations, isPacked }: Answer): number {
  if (isPacked) return representations.br?.body.length ?? 0
  const { identity, gzip, br } = representations
  return identity.body.length + (gzip?.body.length ?? 0) + (br?.body.length ?? 0)
}

function represent(content: Omit<Content, 'body'>, tag: string, encoding: Encoding, body: Buffer): Representation {
  // Strong tags must differ where the bytes do.
  const etag = `"${tag}-${encoding}"`
  const lasting: Header[] = [['etag', etag], ...content.headers]
  if (content.compressible) lasting.push(['vary', 'accept-encoding'])
  const describing: Header[] = [
    ['content-type', content.contentType],
    ['content-length', String(body.length)],
  ]
  if (encoding !== 'identity') describing.push(['content-encoding', encoding])
  return {
    headers: [...describing, ...lasting].flat(),
    notModifiedHeaders: lasting.flat(),
    body,
    wire: null,
    wireSecond: 0,
  }
}

/** Whether the browser's copy, in whatever encoding it came, is still this answer. */
export function isFresh(answer: Answer, ifNoneMatch: string): boolean {
  if (ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '').startsWith(`"${answer.tag}-`))
}
