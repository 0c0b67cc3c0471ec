import { pageData } from '#web/app/page-data.ts'
import { request } from '../http.ts'
import type { World } from '../site.ts'

/** The specified routes. */
const PROMISED = [
  '/',
  '/about',
  '/board-directors',
  '/board-trustees',
  '/clinic',
  '/committees',
  '/contact',
  '/events',
  '/executive-committee',
  '/faqs',
  '/news',
  '/newsletter',
  '/newsletter/subscribe',
  '/newsletter/unsubscribe',
  '/newsletter/success',
  '/newsletter/unsubscribed',
  '/past-presidents',
  '/scholarships-awards',
  '/sponsor-us',
  '/sponsor/success',
  '/sponsor/cancel',
  '/students-residents',
  '/become-a-member',
  '/auth/login',
  '/auth/account',
  '/reset-password',
  '/email-verification',
  '/stripe/success',
  '/stripe/cancel',
  '/privacy-policy',
  '/terms-conditions',
]

/** The public directory is off until officers turn it on; the others are on a site that is being set up, and on a demo. */
const NOT_ON_THIS_SITE = ['/find-a-member', '/setup', '/demo']

export const UNKNOWN_PAGE = '/no-such-page'

/** The pages of a member's account. */
export const ACCOUNT_PAGES = ['', '/membership', '/profile', '/emails', '/security', '/data'].map(
  (page) => `/auth/account${page}`,
)

export interface PublicPage {
  /** With its query, as in a link. */
  address: string
  /** Its entry in the route table, such as `/events/:id`. */
  pattern: string
  /** In the sitemap. */
  indexed: boolean
}

export interface PublicPages {
  /** Every page of the route table, each query that changes what the server renders, and every content page. */
  all: PublicPage[]
  /** `all` with only the first two pages of each kind of content: for slow checks. */
  few: PublicPage[]
  /** Specified pages that are missing, and what `few` leaves out. */
  note: string
}

/** Gets the list of pages from the site itself, so new pages are included automatically. */
export async function findPublicPages(world: World): Promise<PublicPages> {
  const fixed = pageData.filter(({ path }) => !path.includes(':') && !NOT_ON_THIS_SITE.includes(path))
  const own: PublicPage[] = fixed.flatMap(({ path, indexed, queryParameters: queries = {} }) =>
    [path, ...withQueries(path, queries)].map((address) => ({ address, pattern: path, indexed })),
  )
  const contentPaths = (await sitemapPaths(world)).filter((path) => !fixed.some((page) => page.path === path))
  const content = contentPaths.map((path) => ({ address: path, pattern: patternOf(path), indexed: true }))
  const shown = content.filter(({ pattern }) => pageData.some(({ path }) => path === pattern))
  const few = shown.filter(({ pattern }, at) => shown.slice(0, at).filter(isOf(pattern)).length < 2)
  const missing = PROMISED.filter((path) => !fixed.some((page) => page.path === path))
  const sentences = [
    missing.length > 0 && `Not built yet, so not looked at: ${missing.join(', ')}`,
    shown.length < content.length && `${content.length - shown.length} addresses of the sitemap have no page yet`,
    few.length < shown.length && `Of ${shown.length} pages of content, ${few.length} were opened: two of a kind`,
  ]
  return { all: [...own, ...content], few: [...own, ...few], note: sentences.filter(Boolean).join('. ') }
}

/** The paths in the sitemap, in its order. */
async function sitemapPaths(world: World): Promise<string[]> {
  const { text } = await request(world.site.origin, { path: '/sitemap.xml' })
  return [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => new URL(url).pathname)
}

/** Sets every query that may be `present`, and one page for each value of the others. */
function withQueries(path: string, queries: Record<string, 'present' | readonly string[]>): string[] {
  const present = Object.entries(queries).filter(([, values]) => values === 'present')
  const listed = Object.entries(queries).flatMap(([name, values]) =>
    values === 'present' ? [] : values.map((value) => `${path}?${name}=${value}`),
  )
  if (present.length === 0) return listed
  return [`${path}?${present.map(([name]) => `${name}=an-invented-${name}`).join('&')}`, ...listed]
}

function patternOf(path: string): string {
  const start = `${path.slice(0, path.lastIndexOf('/'))}/:`
  return pageData.find((page) => page.path.startsWith(start))?.path ?? `${start}id`
}

function isOf(pattern: string): (page: PublicPage) => boolean {
  return (page) => page.pattern === pattern
}
