import { CLOSED_POLICY, securityHeaders } from '../http/security-headers.ts'
import { type PreparedResponse, prepareResponse } from './prepared-response.ts'
import type { ContentDocument } from './documents.ts'
import type { PageMetadata } from './page-metadata.ts'

const CACHE_ONE_HOUR = 'public, max-age=3600'

/** Does not disallow private pages: they are `noindex`, and a crawler must be able to load them to see that. */
export function robotsFile(siteUrl: string): PreparedResponse {
  return prepareResponse({
    status: 200,
    contentType: 'text/plain; charset=utf-8',
    body: Buffer.from(`User-agent: *\nDisallow: /api/\n\nSitemap: ${siteUrl}/sitemap.xml\n`),
    headers: [
      ...securityHeaders({ siteUrl }),
      ['content-security-policy', CLOSED_POLICY],
      ['cache-control', CACHE_ONE_HOUR],
    ],
    compressible: false,
  })
}

/** Lists the indexed pages and all content pages. */
export function sitemap(
  pages: readonly PageMetadata[],
  contentPaths: Iterable<string>,
  siteUrl: string,
): ContentDocument {
  const fixed = pages
    .filter(({ path, indexed, isLive }) => indexed && !isLive && !path.includes(':'))
    .map(({ path }) => path)
  const entries = [...fixed, ...contentPaths].map((path) => `  <url><loc>${siteUrl}${path}</loc></url>\n`)
  return {
    contentType: 'application/xml; charset=utf-8',
    text: `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('')}</urlset>\n`,
  }
}
