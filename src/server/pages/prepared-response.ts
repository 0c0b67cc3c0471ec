import { createHash } from 'node:crypto'
import type { Header } from '#server/http/security-headers.ts'
import { brotli, type Encoding, gzip, unbrotli } from './encodings.ts'

/** A response in one encoding, fully prepared in advance. */
export interface Representation {
  /** Alternating names and values, without `date` and `connection`. */
  headers: string[]
  /** The headers of a 304. */
  notModifiedHeaders: string[]
  body: Buffer
  /** Head and body in one buffer, with the date of `wireSecond`; created on first use. */
  wire: Buffer | null
  wireSecond: number
}

export interface PreparedResponse {
  status: number
  /** The prefix of the ETags; the suffix is the encoding. */
  tag: string
  /** Only the Brotli representation is stored; the others are created on demand. */
  isPacked: boolean
  representations: { identity: Representation; gzip: Representation | null; br: Representation | null }
}

export interface ResponseContent {
  status: number
  contentType: string
  body: Buffer
  /** Security, caching and other headers that do not depend on the encoding. */
  headers: readonly Header[]
  /** False for compressed formats, such as images and fonts. */
  compressible: boolean
  /** The precompressed body. */
  gzip?: Buffer
}

export function prepareResponse(content: ResponseContent): PreparedResponse {
  const tag = etagPrefix(content.body)
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
 * Creates the response of a static file. Only the Brotli representation is stored, which browsers use; the others are created from it on the first request
 * that needs them.
 */
export function preparePackedResponse({ body, ...content }: ResponseContent, br: Buffer): PreparedResponse {
  const tag = etagPrefix(body)
  const cache: { identity?: Representation; gzip?: Representation } = {}
  return {
    status: content.status,
    tag,
    isPacked: true,
    representations: {
      br: represent(content, tag, 'br', br),
      get gzip() {
        return (cache.gzip ??= represent(content, tag, 'gzip', gzip(unbrotli(br))))
      },
      get identity() {
        return (cache.identity ??= represent(content, tag, 'identity', unbrotli(br)))
      },
    },
  }
}

/** The ETag prefix of these bytes. */
export function etagPrefix(body: Buffer): string {
  return createHash('sha256').update(body).digest('base64url').slice(0, 16)
}

/** Adds the Brotli representation, which is slow to create; until then the next best one is sent. */
export async function addBrotli(answer: PreparedResponse, content: ResponseContent): Promise<void> {
  answer.representations.br = represent(content, answer.tag, 'br', await brotli(content.body))
}

/** Its size in memory. */
export function responseBytes({ representations, isPacked }: PreparedResponse): number {
  if (isPacked) return representations.br?.body.length ?? 0
  const { identity, gzip, br } = representations
  return identity.body.length + (gzip?.body.length ?? 0) + (br?.body.length ?? 0)
}

function represent(
  content: Omit<ResponseContent, 'body'>,
  tag: string,
  encoding: Encoding,
  body: Buffer,
): Representation {
  // Strong ETags must differ between encodings.
  const etag = `"${tag}-${encoding}"`
  const common: Header[] = [['etag', etag], ...content.headers]
  if (content.compressible) common.push(['vary', 'accept-encoding'])
  const bodyHeaders: Header[] = [
    ['content-type', content.contentType],
    ['content-length', String(body.length)],
  ]
  if (encoding !== 'identity') bodyHeaders.push(['content-encoding', encoding])
  return {
    headers: [...bodyHeaders, ...common].flat(),
    notModifiedHeaders: common.flat(),
    body,
    wire: null,
    wireSecond: 0,
  }
}

/** Whether the browser's cached copy, in any encoding, is still current. */
export function isFresh(answer: PreparedResponse, ifNoneMatch: string): boolean {
  if (ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '').startsWith(`"${answer.tag}-`))
}
