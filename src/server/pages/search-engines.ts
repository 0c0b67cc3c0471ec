import { CLOSED_POLICY, securityHeaders } from '../http/security-headers.ts'
import { type Answer, createAnswer } from './answer.ts'
import type { ContentDocument } from './documents.ts'
import type { PageFacts } from './page-facts.ts'

const FOR_AN_HOUR = 'public, max-age=3600'

/** Pages that are not to be found say so themselves: a crawler must be let in to hear it. */
export function robotsFile(siteUrl: string): Answer {
  return createAnswer({
    status: 200,
    contentType: 'text/plain; charset=utf-8',
    body: Buffer.from(`User-agent: *\nDisallow: /api/\n\nSitemap: ${siteUrl}/sitemap.xml\n`),
    headers: [
      ...securityHeaders({ siteUrl }),
      ['content-security-policy', CLOSED_POLICY],
      ['cache-control', FOR_AN_HOUR],
    ],
    compressible: false,
  })
}

/** The pages that are to be found, and the addresses of the content there is. */
export function sitemap(pages: readonly PageFacts[], contentPaths: Iterable<string>, siteUrl: string): ContentDocument {
  const fixed = pages.filter(({ path, indexed }) => indexed && !path.includes(':')).map(({ path }) => path)
  const entries = [...fixed, ...contentPaths].map((path) => `  <url><loc>${siteUrl}${path}</loc></url>\n`)
  return {
    contentType: 'application/xml; charset=utf-8',
    text: `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('')}</urlset>\n`,
  }
}
