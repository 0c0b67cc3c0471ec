import type { PageFacts } from './page-facts.ts'

/** A page of the route table: its facts and the id under which the framework knows it. */
export interface KnownPage {
  facts: PageFacts
  routeId: string
}

export interface PageAddress {
  /** What the page is kept under, and at the same time the address it is rendered for: path and only those queries that matter. */
  key: string
  page: KnownPage
  /** The framework's data address of the page, for navigation in the browser. */
  isData: boolean
}

export type Resolved =
  | { kind: 'page'; address: PageAddress }
  | { kind: 'moved'; location: string }
  | { kind: 'unknown' }

/** What stands in a key for a query of which only the presence matters. */
const PRESENT = 'present'
const DATA_SUFFIX = '.data'
/** The framework's data address of the home page. */
const HOME_DATA = '/_.data'

/**
 * Answers for a request's target (`/path?query`) which page it means. A page whose path ends in `:id` stands for those of `contentPaths`
 * that begin as it does: an address that no content has is unknown, so that nobody fills the cache with them.
 */
export function createAddressBook(
  pages: readonly KnownPage[],
  contentPaths: () => ReadonlySet<string> = () => new Set(),
): (target: string) => Resolved {
  const fixed = new Map(pages.map((page) => [page.facts.path, page]))
  const patterns = pages.flatMap((page) => {
    const [start = '', parameter] = page.facts.path.split(':')
    return parameter === undefined ? [] : [{ start, page }]
  })
  const wholes = pages.filter(({ facts }) => facts.below)
  const wholeOf = (path: string) =>
    wholes.find(({ facts }) => path.startsWith(`${facts.path}/`) && !path.endsWith(DATA_SUFFIX))
  const byPath = {
    get: (path: string) =>
      fixed.get(path) ??
      (contentPaths().has(path) ? patterns.find(({ start }) => path.startsWith(start))?.page : undefined),
    has: (path: string) => byPath.get(path) !== undefined,
  }

  return function resolve(target) {
    const { path, search } = splitTarget(target)
    const page = byPath.get(path)
    const whole = page ? undefined : wholeOf(path)
    if (whole) return { kind: 'page', address: { key: whole.facts.path, page: whole, isData: false } }
    if (page) return { kind: 'page', address: { key: path + keptQueries(page.facts, search), page, isData: false } }

    const ofData = byPath.get(pathOfData(path))
    if (ofData) {
      return { kind: 'page', address: { key: path + keptDataQueries(ofData, search), page: ofData, isData: true } }
    }

    const canonical = canonicalPath(path)
    return byPath.has(canonical) ? { kind: 'moved', location: canonical + printable(search) } : { kind: 'unknown' }
  }
}

/**
 * Which address the page that says 'there is no such page' is rendered for. The browser looks its own address up in the route table again,
 * so below a pattern it must be one of that pattern; everywhere else none has it.
 */
export function createNotFoundBook(pages: readonly KnownPage[]): (path: string) => string {
  const starts = pages.flatMap(({ facts }) => (facts.path.includes(':') ? [facts.path.split(':')[0] as string] : []))
  return (path) => {
    const plain = path.toLowerCase().replace(/(?<=.)\/$/, '')
    const start = starts.find((first) => plain.startsWith(first) && !plain.slice(first.length).includes('/'))
    return `${start ?? '/'}*`
  }
}

/** Path and query of a target, which is an absolute address when it was sent to a proxy. */
function splitTarget(target: string): { path: string; search: string } {
  const local = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*/i, '') || '/'
  const question = local.indexOf('?')
  return question < 0 ? { path: local, search: '' } : { path: local.slice(0, question), search: local.slice(question) }
}

function pathOfData(path: string): string {
  if (path === HOME_DATA) return '/'
  const page = path.endsWith(DATA_SUFFIX) ? path.slice(0, -DATA_SUFFIX.length) : ''
  return page === '/' ? '' : page
}

function keptQueries({ queries }: PageFacts, search: string, more = new URLSearchParams()): string {
  const kept = new URLSearchParams()
  if (queries && search) {
    const given = new URLSearchParams(search)
    for (const [name, rule] of Object.entries(queries)) {
      const value = given.get(name)
      if (!value) continue
      if (rule === 'present') kept.set(name, PRESENT)
      else if (rule.includes(value)) kept.set(name, value)
    }
  }
  for (const [name, value] of more) kept.set(name, value)
  return kept.size > 0 ? `?${kept}` : ''
}

/** The browser asks for the page's own data alone when it has the frame's; every other choice gets everything. */
function keptDataQueries({ facts, routeId }: KnownPage, search: string): string {
  const ownOnly = new URLSearchParams(search).get('_routes') === routeId
  return keptQueries(facts, search, new URLSearchParams(ownOnly ? { _routes: routeId } : {}))
}

/** Lower case, single slashes, none at the end, nothing encoded that need not be. */
function canonicalPath(path: string): string {
  let decoded = path
  try {
    decoded = decodeURIComponent(path)
  } catch {
    // Not text: no page is called that.
  }
  return decoded
    .toLowerCase()
    .replace(/\/{2,}/g, '/')
    .replace(/(?<=.)\/$/, '')
}

/** A query as it may stand in a header: the parser lets bytes through that are no text. */
function printable(search: string): string {
  return search.replace(/[^\x21-\x7e]/g, (character) => encodeURIComponent(character))
}
