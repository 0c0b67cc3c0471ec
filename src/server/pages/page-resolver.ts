import type { PageMetadata } from './page-metadata.ts'

/** A page of the route table, with its route id. */
export interface PageRoute {
  metadata: PageMetadata
  routeId: string
}

export interface PageRequest {
  /** The cache key, which is also the URL to render: the path with only the relevant query parameters. */
  key: string
  page: PageRoute
  /** Whether it is the framework's data request of the page, for client-side navigation. */
  isData: boolean
}

export type PageResolution =
  | { kind: 'page'; address: PageRequest }
  | { kind: 'moved'; location: string }
  | { kind: 'unknown' }

/** The value in a key for a query parameter of which only the presence matters. */
const PRESENT = 'present'
/** In a list of values, it stands for every other value. */
const OTHER = 'other'
const DATA_SUFFIX = '.data'
/** The framework's data request path of the home page. */
const HOME_DATA = '/_.data'

/**
 * Resolves a request target (`/path?query`) to a page. A page whose path ends in `:id` matches only the paths of `contentPaths`: other paths are unknown,
 * so that they cannot fill the cache. `movedPaths` leads from former paths of content to current ones.
 */
export function createPageResolver(
  pages: readonly PageRoute[],
  contentPaths: () => ReadonlySet<string> = () => new Set(),
  movedPaths: () => ReadonlyMap<string, string> = () => new Map(),
): (target: string) => PageResolution {
  const fixed = new Map(pages.map((page) => [page.metadata.path, page]))
  const patterns = pages.flatMap((page) => {
    const [start = '', parameter] = page.metadata.path.split(':')
    return parameter === undefined ? [] : [{ start, page }]
  })
  // A page at the top level comes last: its start is that of every path.
  patterns.sort((a, b) => b.start.length - a.start.length)
  const subtreePages = pages.filter(({ metadata }) => metadata.hasSubpaths)
  const findSubtreePage = (path: string) =>
    subtreePages.find(({ metadata }) => path.startsWith(`${metadata.path}/`) && !path.endsWith(DATA_SUFFIX))
  const byPath = {
    get: (path: string) =>
      fixed.get(path) ??
      (contentPaths().has(path) ? patterns.find(({ start }) => path.startsWith(start))?.page : undefined),
    has: (path: string) => byPath.get(path) !== undefined,
  }

  return function resolve(target) {
    const { path, search } = splitTarget(target)
    const page = byPath.get(path)
    const subtreePage = page ? undefined : findSubtreePage(path)
    if (subtreePage)
      return { kind: 'page', address: { key: subtreePage.metadata.path, page: subtreePage, isData: false } }
    if (page)
      return { kind: 'page', address: { key: path + relevantQueries(page.metadata, search), page, isData: false } }

    const dataPage = byPath.get(pagePathOfData(path))
    if (dataPage) {
      return {
        kind: 'page',
        address: { key: path + relevantDataQueries(dataPage, search), page: dataPage, isData: true },
      }
    }

    const canonical = canonicalPath(path)
    const location = byPath.has(canonical) ? canonical : movedPaths().get(canonical)
    return location === undefined ? { kind: 'unknown' } : { kind: 'moved', location: location + printable(search) }
  }
}

/**
 * Returns the URL for which the 404 page is rendered. The browser matches its own URL against the route table again, so below a route pattern the rendered
 * URL must match that pattern too; elsewhere it must match none, not even that of a page at the top level.
 */
export function createNotFoundResolver(pages: readonly PageRoute[]): (path: string) => string {
  const starts = pages.flatMap(({ metadata }) =>
    metadata.path.includes(':') ? [metadata.path.split(':')[0] as string] : [],
  )
  starts.sort((a, b) => b.length - a.length)
  return (path) => {
    const normalized = path.toLowerCase().replace(/(?<=.)\/$/, '')
    const start = starts.find((first) => normalized.startsWith(first) && !normalized.slice(first.length).includes('/'))
    if (start !== undefined) return `${start}*`
    return starts.includes('/') ? '/*/*' : '/*'
  }
}

/** Splits a request target, which is an absolute URL if it was sent to a proxy. */
function splitTarget(target: string): { path: string; search: string } {
  const local = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*/i, '') || '/'
  const question = local.indexOf('?')
  return question < 0 ? { path: local, search: '' } : { path: local.slice(0, question), search: local.slice(question) }
}

function pagePathOfData(path: string): string {
  if (path === HOME_DATA) return '/'
  const page = path.endsWith(DATA_SUFFIX) ? path.slice(0, -DATA_SUFFIX.length) : ''
  return page === '/' ? '' : page
}

function relevantQueries(
  { queryParameters: queries, isLive }: PageMetadata,
  search: string,
  more = new URLSearchParams(),
): string {
  if (isLive) return liveQueries(search, more)
  const relevant = new URLSearchParams()
  if (queries && search) {
    const params = new URLSearchParams(search)
    for (const [name, rule] of Object.entries(queries)) {
      const value = params.get(name)
      if (!value) continue
      if (rule === 'present') relevant.set(name, PRESENT)
      else if (rule.includes(value)) relevant.set(name, value)
      else if (rule.includes(OTHER)) relevant.set(name, OTHER)
    }
  }
  for (const [name, value] of more) relevant.set(name, value)
  return relevant.size > 0 ? `?${relevant}` : ''
}

/** Longer ones are no search of a person. */
const LIVE_SEARCH_MAX = 500

function liveQueries(search: string, more: URLSearchParams): string {
  const all = new URLSearchParams(search.length > LIVE_SEARCH_MAX ? '' : search)
  all.delete('_routes')
  for (const [name, value] of more) all.set(name, value)
  return all.size > 0 ? `?${all}` : ''
}

/** If the browser already has the root data, it requests only the page's own route; any other `_routes` gets everything. */
function relevantDataQueries({ metadata, routeId }: PageRoute, search: string): string {
  const ownOnly = new URLSearchParams(search).get('_routes') === routeId
  return relevantQueries(metadata, search, new URLSearchParams(ownOnly ? { _routes: routeId } : {}))
}

/** Lower case, no double or trailing slashes, no unnecessary encoding. */
function canonicalPath(path: string): string {
  let decoded = path
  try {
    decoded = decodeURIComponent(path)
  } catch {
    // An invalid encoding matches no page.
  }
  return decoded
    .toLowerCase()
    .replace(/\/{2,}/g, '/')
    .replace(/(?<=.)\/$/, '')
}

/** Encodes a query string for use in a header: the parser accepts bytes that are not printable ASCII. */
function printable(search: string): string {
  return search.replace(/[^\x21-\x7e]/g, (character) => encodeURIComponent(character))
}
