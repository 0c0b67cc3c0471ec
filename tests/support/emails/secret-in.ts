/** The token of a link in an email, which is after the `#` so that no log contains it; empty when there is none. */
export function secretIn(link: URL): string {
  return new URLSearchParams(link.hash.slice(1)).get('token') ?? ''
}
