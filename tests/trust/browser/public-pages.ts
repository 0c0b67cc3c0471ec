import { pageFacts } from '#web/app/page-facts.ts'
import { ask } from './http.ts'
import type { World } from './site.ts'

/** The routes that are promised. */
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

export const UNKNOWN_PAGE = '/no-such-page'

export interface PublicPage {
  /** With its query, as one follows it. */
  address: string
  /** The entry of the route table it belongs to, such as `/events/:id`. */
  pattern: string
  /** In the sitemap. */
  indexed: boolean
}

export interface PublicPages {
  /** Every page of the route table, each query that changes what the server renders, and every address of content. */
  all: PublicPage[]
  /** `all` with the first two addresses only of each kind of content: for what takes long. */
  few: PublicPage[]
  /** Which promised pages there are not, and what `few` leaves out. */
  note: string
}

/** Asks the site itself which pages it has: a page that comes later is in it without a line here. */
export async function findPublicPages(world: World): Promise<PublicPages> {
  const fixed = pageFacts.filter(({ path }) => !path.includes(':'))
  const own: PublicPage[] = fixed.flatMap(({ path, indexed, queries = {} }) =>
    [path, ...withQueries(path, queries)].map((address) => ({ address, pattern: path, indexed })),
  )
  const contentPaths = (await sitemapPaths(world)).filter((path) => !fixed.some((page) => page.path === path))
  const content = contentPaths.map((path) => ({ address: path, pattern: patternOf(path), indexed: true }))
  const shown = content.filter(({ pattern }) => pageFacts.some(({ path }) => path === pattern))
  const few = shown.filter(({ pattern }, at) => shown.slice(0, at).filter(isOf(pattern)).length < 2)
  const missing = PROMISED.filter((path) => !fixed.some((page) => page.path === path))
  const sentences = [
    missing.length > 0 && `Not built yet, so not looked at: ${missing.join(', ')}`,
    shown.length < content.length && `${content.length - shown.length} addresses of the sitemap have no page yet`,
    few.length < shown.length && `Of ${shown.length} pages of content, ${few.length} were opened: two of a kind`,
  ]
  return { all: [...own, ...content], few: [...own, ...few], note: sentences.filter(Boolean).join('. ') }
}

/** The paths the sitemap names, in its order. */
async function sitemapPaths(world: World): Promise<string[]> {
  const { text } = await ask(world.site.origin, { path: '/sitemap.xml' })
  return [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => new URL(url).pathname)
}

/** With everything that may be `present`, and once for each value a query may have. */
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
  return pageFacts.find((page) => page.path.startsWith(start))?.path ?? `${start}id`
}

function isOf(pattern: string): (page: PublicPage) => boolean {
  return (page) => page.pattern === pattern
}
