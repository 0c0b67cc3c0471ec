import { CLOSED_POLICY, DRAWING_POLICY, securityHeaders } from '../http/security-headers.ts'
import { gzip } from './encodings.ts'
import { type PreparedResponse, prepareResponse } from './prepared-response.ts'

/** A file that shows the brand, such as an icon. */
export interface BrandFile {
  contentType: string
  body: Buffer
}

/** Returns null for a path that the brand does not change: then the file of the build is sent. */
export type FindBrandFile = (path: string) => Promise<BrandFile> | null

const CACHE_ONE_HOUR = 'public, max-age=3600, stale-while-revalidate=86400'
/** A mark that is a photograph is inside an SVG. */
const MARK_POLICY = `${DRAWING_POLICY}; img-src data:`

/** Prepares the response of each file once. */
export function createBrandResponses(
  find: FindBrandFile,
  siteUrl: string,
): (path: string) => Promise<PreparedResponse> | null {
  const prepared = new WeakMap<BrandFile, PreparedResponse>()
  return (path) => {
    const found = find(path)
    return (
      found?.then((file) => {
        const response = prepared.get(file) ?? createResponse(file, siteUrl)
        prepared.set(file, response)
        return response
      }) ?? null
    )
  }
}

function createResponse({ contentType, body }: BrandFile, siteUrl: string): PreparedResponse {
  const isPicture = contentType.startsWith('image/')
  const isText = contentType !== 'image/png'
  return prepareResponse({
    status: 200,
    contentType,
    body,
    headers: [
      ...securityHeaders({ siteUrl, picture: isPicture }),
      ['content-security-policy', contentType.startsWith('image/svg') ? MARK_POLICY : CLOSED_POLICY],
      ['cache-control', CACHE_ONE_HOUR],
    ],
    compressible: isText,
    ...(isText && { gzip: gzip(body) }),
  })
}
