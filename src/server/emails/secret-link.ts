/**
 * A link in an email that proves who received it. The secret stands behind the `#`: browsers never send that part, so no proxy, log or `Referer`
 * header sees it. The page reads it and sends it in the body of a POST request.
 */
export function secretLink(siteUrl: string, path: string, secret: Record<string, string>): string {
  return `${siteUrl}${path}#${new URLSearchParams(secret)}`
}
