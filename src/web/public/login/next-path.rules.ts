/**
 * The path to open after login: the path in `?next=` if it is on this site, else `/`
 * (docs/product-rules.md#redirects-after-log-in). Rejects anything a browser could read as another site: two slashes,
 * backslashes, control characters, a scheme.
 */
export function nextPath(asked: string | null): string {
  if (asked === null || !asked.startsWith('/') || UNSAFE.test(asked)) return '/'
  const url = new URL(asked, PLACEHOLDER_ORIGIN)
  // Dot segments can hide two slashes: "/.//other.example".
  if (url.origin !== PLACEHOLDER_ORIGIN || url.pathname.startsWith('//')) return '/'
  return url.pathname + url.search + url.hash
}

const PLACEHOLDER_ORIGIN = 'https://site.invalid'
// oxlint-disable-next-line no-control-regex -- browsers drop tabs and line breaks from URLs, so "/\t/" is "//"
const UNSAFE = /^\/\/|[\\\u0000-\u0020\u007f]/
