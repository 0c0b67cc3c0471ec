/** The token of a link in an email, which stands behind the `#` so that no log sees it; empty when there is none. */
export function secretIn(link: URL): string {
  return new URLSearchParams(link.hash.slice(1)).get('token') ?? ''
}
