import { isOwnPath } from '#contract/fields.ts'

/** An address of a former website, and the path of this site that it leads to. */
export interface Redirect {
  /** As `redirectKey` returns it. */
  from: string
  to: string
}

/** Between the two addresses of a line: spaces, a comma, a semicolon or an arrow. Quotation marks are those of a CSV file. */
const SEPARATOR = /\s*(?:[,;\t]|\s|->|→)\s*/
const ORIGIN = /^https?:\/\/[^/?#]*/i

/**
 * Reads a line such as `/2019/05/spring-gala/ /news/spring-gala`, also from a CSV file. The old address may be a whole URL, of which the host is dropped.
 * Returns a sentence about a line that cannot be read.
 */
export function parseRedirect(line: string): Redirect | string {
  const [old = '', to = '', ...more] = line.replaceAll('"', '').trim().split(SEPARATOR).filter(Boolean)
  if (to === '' || more.length > 0) return 'Enter the old address, a space and the new one.'
  const from = ORIGIN.test(old) ? old.replace(ORIGIN, '') || '/' : old
  if (!isOwnPath(from)) return `“${old}” is not an address. It starts with a slash, such as /2019/05/spring-gala.`
  if (!isOwnPath(to)) return `“${to}” is not a page of this site. It starts with a slash, such as /news/spring-gala.`
  const key = redirectKey(from)
  if (key === '/') return 'The home page cannot lead elsewhere.'
  if (key === redirectKey(to)) return 'Both addresses are the same.'
  return { from: key, to }
}

/** What stays the same however an address is written: decoded, in lower case, without fragment, double slashes and a slash at the end. */
export function redirectKey(address: string): string {
  const [target = ''] = address.split('#')
  const question = target.indexOf('?')
  const [path, search] = question < 0 ? [target, ''] : [target.slice(0, question), target.slice(question)]
  const plain = decode(path)
    .replaceAll(/\/{2,}/g, '/')
    .replace(/(?<=.)\/$/, '')
  return (plain + (search === '?' ? '' : search)).toLowerCase()
}

/** The redirects of all lists by old address; the first list with an address counts. */
export function joinRedirects(lists: Iterable<readonly string[]>): ReadonlyMap<string, string> {
  const joined = new Map<string, string>()
  for (const list of lists) {
    for (const line of list) {
      const redirect = parseRedirect(line)
      if (typeof redirect !== 'string' && !joined.has(redirect.from)) joined.set(redirect.from, redirect.to)
    }
  }
  return joined
}

/**
 * Finds where an old address leads: by path and query, or else by the path alone. Returns null unless the site has the new page, so a redirect never leads
 * to another one, and waits for a page that is not published yet.
 * @param target path and query of the request
 */
export function findRedirect(
  redirects: ReadonlyMap<string, string>,
  target: string,
  { isKnownPath, hasQueryOnly = false }: { isKnownPath(path: string): boolean; hasQueryOnly?: boolean },
): string | null {
  const key = redirectKey(target)
  const question = key.indexOf('?')
  if (hasQueryOnly && question < 0) return null
  const to = redirects.get(key) ?? (question < 0 || hasQueryOnly ? undefined : redirects.get(key.slice(0, question)))
  if (to === undefined || !isKnownPath(to)) return null
  // `/?p=1` is an address of the home page for the site, and an old one for the list.
  if (to.includes('?') && redirects.has(redirectKey(to))) return null
  return encodeURI(decode(to))
}

/** The line of a list. Commas and semicolons of an old address are encoded: they separate the two addresses. */
export function redirectLine(old: string, to: string): string {
  return `${encodeURI(old).replaceAll(',', '%2C').replaceAll(';', '%3B')} ${to}`
}

function decode(text: string): string {
  try {
    return decodeURI(text).replaceAll(/%2c/gi, ',').replaceAll(/%3b/gi, ';')
  } catch {
    return text
  }
}
