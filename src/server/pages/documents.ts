import { CLOSED_POLICY, securityHeaders } from '../http/security-headers.ts'
import { addBrotli, type PreparedResponse, type ResponseContent, prepareResponse } from './prepared-response.ts'
import { gzip } from './encodings.ts'

/** A generated document that is not a page: a calendar, a feed or the sitemap. */
export interface ContentDocument {
  contentType: string
  text: string
  /** The file name for downloads. */
  fileName?: string
}

/** Returns null if the path is not a document. */
export type FindDocument = (path: string) => ContentDocument | null

/** Smaller documents fit into a few packets anyway. */
const MIN_COMPRESSED_BYTES = 4 * 1024
const CACHE_15_MINUTES = 'public, max-age=900'

/** Caches the response of each document for one generation of content. */
export function createDocumentServer(
  { find, siteUrl }: { find: FindDocument; siteUrl: string },
  generation: () => number,
): (path: string) => PreparedResponse | null {
  let cachedGeneration = -1
  let cache = new Map<string, PreparedResponse>()

  return (path) => {
    const current = generation()
    if (current !== cachedGeneration) cache = new Map()
    cachedGeneration = current
    const cached = cache.get(path)
    if (cached) return cached
    const document = find(path)
    if (!document) return null
    const response = createResponse(document, siteUrl)
    cache.set(path, response)
    return response
  }
}

function createResponse({ contentType, text, fileName }: ContentDocument, siteUrl: string): PreparedResponse {
  const body = Buffer.from(text)
  const content: ResponseContent = {
    status: 200,
    contentType,
    body,
    headers: [
      ...securityHeaders({ siteUrl }),
      ['content-security-policy', CLOSED_POLICY],
      ['cache-control', CACHE_15_MINUTES],
      ...(fileName ? [['content-disposition', `attachment; filename="${fileName}"`] as [string, string]] : []),
    ],
    compressible: body.length >= MIN_COMPRESSED_BYTES,
  }
  if (!content.compressible) return prepareResponse(content)
  const response = prepareResponse({ ...content, gzip: gzip(body) })
  // If it fails, gzip is still sent.
  addBrotli(response, content).catch(() => {})
  return response
}
