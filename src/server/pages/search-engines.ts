import { CLOSED_POLICY, securityHeaders } from '../http/security-headers.ts'
import { type Answer, createAnswer } from './answer.ts'
import type { PageFacts } from './page-facts.ts'

const FOR_AN_HOUR = 'public, max-age=3600'

/** What is answered under `/robots.txt` and `/sitemap.xml`. */
export function searchEngineFiles(pages: readonly PageFacts[], siteUrl: string): Map<string, Answer> {
  return new Map([
    ['/robots.txt', file('text/plain; charset=utf-8', robots(siteUrl), siteUrl)],
    ['/sitemap.xml', file('application/xml; charset=utf-8', sitemap(pages, siteUrl), siteUrl)],
  ])
}

// Pages that are not to be found say so themselves: a crawler must be let in to hear it.
function robots(siteUrl: string): string {
  return `User-agent: *\nDisallow: /api/\n\nSitemap: ${siteUrl}/sitemap.xml\n`
}

function sitemap(pages: readonly PageFacts[], siteUrl: string): string {
  const entries = pages.filter((page) => page.indexed).map(({ path }) => `  <url><loc>${siteUrl}${path}</loc></url>\n`)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('')}</urlset>\n`
}

function file(contentType: string, text: string, siteUrl: string): Answer {
  return createAnswer({
    status: 200,
    contentType,
    body: Buffer.from(text),
    headers: [
      ...securityHeaders({ siteUrl }),
      ['content-security-policy', CLOSED_POLICY],
      ['cache-control', FOR_AN_HOUR],
    ],
    compressible: false,
  })
}
