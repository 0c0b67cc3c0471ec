export type Header = readonly [name: string, value: string]

interface SecurityHeadersOptions {
  siteUrl: string
  /** The address may hold a token or nonce, which no other site may learn (docs/product-rules.md#return-from-payment). */
  secretAddress?: boolean
  /** The page may ask for the camera. */
  camera?: boolean | undefined
  /** Pictures may be shown by whoever links them: a newsletter's page has no origin of its own, and mail is read on other sites. */
  picture?: boolean
}

/** The policy of every answer that is not a page: it shows and loads nothing. */
export const CLOSED_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** A drawing opened by itself needs its own styles, and nothing more. */
export const DRAWING_POLICY = `${CLOSED_POLICY}; style-src 'unsafe-inline'`

/** A worker that keeps pages for when there is no network fetches them from here. */
export const WORKER_POLICY = `${CLOSED_POLICY}; connect-src 'self'`

/**
 * Only names that browsers know: they warn about others. Left alone are `clipboard-write`, which copying a link needs, and `publickey-credentials-get` for
 * passkeys, whose default lets only our own pages: the console is often reached from a page that was loaded before, with the headers of that one.
 */
const SWITCHED_OFF = [
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
 * The headers of every answer of the site, whatever its status. The content security policy comes on top: a page has its own,
 * everything else `CLOSED_POLICY`.
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
      SWITCHED_OFF.map((feature) => `${feature}=(${camera && feature === 'camera' ? 'self' : ''})`).join(', '),
    ],
    ['cross-origin-opener-policy', 'same-origin'],
    ['cross-origin-resource-policy', picture ? 'cross-origin' : 'same-origin'],
    ['origin-agent-cluster', '?1'],
  ]
  if (siteUrl.startsWith('https:')) headers.push(['strict-transport-security', `max-age=${TWO_YEARS_S}`])
  return Object.freeze(headers)
}

/** What an answer of the API, a probe or a failure carries: nothing to run, nothing to keep. */
export function apiHeaders(siteUrl: string): readonly Header[] {
  return Object.freeze([
    ...securityHeaders({ siteUrl }),
    ['content-security-policy', CLOSED_POLICY],
    ['cache-control', 'no-store'],
  ] satisfies Header[])
}
