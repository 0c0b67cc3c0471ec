/**
 * A link in an email that proves who received it. The secret is in the fragment, which browsers never send, so no proxy, log or `Referer` header
 * contains it. The page reads it and sends it in the body of a POST request.
 */
export function secretLink(siteUrl: string, path: string, secret: Record<string, string>): string {
  return `${siteUrl}${path}#${new URLSearchParams(secret)}`
}
