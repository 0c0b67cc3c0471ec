/**
 * Where to go after logging in: a path on this site that was asked for in `?next=`, else `/` (docs/product-rules.md#redirects-after-log-in). Anything a browser
 * could read as another site is refused: two slashes, backslashes, control characters, a scheme.
 */
export function nextPath(asked: string | null): string {
  if (asked === null || !asked.startsWith('/') || UNSAFE.test(asked)) return '/'
  const url = new URL(asked, SOMEWHERE)
  // Dots can make two slashes out of one: "/.//other.example".
  if (url.origin !== SOMEWHERE || url.pathname.startsWith('//')) return '/'
  return url.pathname + url.search + url.hash
}

const SOMEWHERE = 'https://site.invalid'
// oxlint-disable-next-line no-control-regex -- browsers drop tabs and line ends from addresses, so "/\t/" is "//"
const UNSAFE = /^\/\/|[\\\u0000-\u0020\u007f]/
