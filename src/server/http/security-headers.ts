export type Header = readonly [name: string, value: string]

interface SecurityHeadersOptions {
  siteUrl: string
  /** The URL may contain a token or nonce that must not leak to other sites (docs/product-rules.md#return-from-payment). */
  secretAddress?: boolean
  /** The page may use the camera. */
  camera?: boolean | undefined
  /** The picture may be embedded by other origins: a newsletter page has an opaque origin, and webmail is read on other sites. */
  picture?: boolean
}

/** The policy for every response that is not a page: nothing is rendered or loaded. */
export const CLOSED_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** An SVG opened directly needs its own styles. */
export const DRAWING_POLICY = `${CLOSED_POLICY}; style-src 'unsafe-inline'`

/** A service worker fetches pages from this origin for offline use, and imports the script that such workers share. */
export const WORKER_POLICY = `${CLOSED_POLICY}; connect-src 'self'; script-src 'self'`

/**
 * Only features that browsers know, since they warn about others. Not listed: `clipboard-write`, needed for copying links, and `publickey-credentials-get` for
 * passkeys, which by default is limited to our own pages: client-side navigation reaches the console with the headers of the page loaded first.
 */
const DISABLED_FEATURES = [
  'accelerometer',
  'autoplay',
  'browsing-topics',
  'camera',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'screen-wake-lock',
  'sync-xhr',
  'usb',
  'xr-spatial-tracking',
]

const TWO_YEARS_S = 63_072_000

/**
 * The headers of every response, whatever its status. The content security policy is added separately: pages have their own, everything else uses
 * `CLOSED_POLICY`.
 */
export function securityHeaders({
  siteUrl,
  secretAddress = false,
  camera = false,
  picture = false,
}: SecurityHeadersOptions): readonly Header[] {
  const headers: Header[] = [
    ['x-content-type-options', 'nosniff'],
    ['x-frame-options', 'DENY'],
    ['referrer-policy', secretAddress ? 'no-referrer' : 'strict-origin-when-cross-origin'],
    [
      'permissions-policy',
      DISABLED_FEATURES.map((feature) => `${feature}=(${camera && feature === 'camera' ? 'self' : ''})`).join(', '),
    ],
    ['cross-origin-opener-policy', 'same-origin'],
    ['cross-origin-resource-policy', picture ? 'cross-origin' : 'same-origin'],
    ['origin-agent-cluster', '?1'],
  ]
  if (siteUrl.startsWith('https:')) headers.push(['strict-transport-security', `max-age=${TWO_YEARS_S}`])
  return Object.freeze(headers)
}

/** The headers of API, health check and error responses. */
export function apiHeaders(siteUrl: string): readonly Header[] {
  return Object.freeze([
    ...securityHeaders({ siteUrl }),
    ['content-security-policy', CLOSED_POLICY],
    ['cache-control', 'no-store'],
  ] satisfies Header[])
}
