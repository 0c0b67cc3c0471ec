import { createHash } from 'node:crypto'

interface PolicyOptions {
  /** The document as it is sent: its inline scripts and styles are allowed by their hashes. */
  html: string
  siteUrl: string
  /** Addresses of the third parties of the frame; null on a page that has none. */
  thirdParties: { recaptchaScriptUrl: string; mapEmbedUrl: string } | null
  /** Origins that pictures may come from besides the site. */
  imageOrigins: readonly string[]
  /** It may register a worker of this site, which opens it without a network. */
  worker?: boolean | undefined
}

/** The content security policy of one document: no `unsafe-inline` for scripts, and no nonce, so that the page can be kept. */
export function contentSecurityPolicy({ html, siteUrl, thirdParties, imageOrigins, worker }: PolicyOptions): string {
  const botCheck = thirdParties ? botCheckSources(thirdParties.recaptchaScriptUrl) : NO_SOURCES
  const map = thirdParties ? [new URL(thirdParties.mapEmbedUrl).origin] : []
  const directives = [
    ['default-src', "'none'"],
    ['script-src', "'self'", ...inlineHashes(html, 'script'), ...botCheck.scripts],
    ['style-src', "'self'", ...inlineHashes(html, 'style')],
    // Headless UI places menus and dialogs by style attributes; an attribute can not run or load anything under this policy.
    ['style-src-attr', "'unsafe-inline'"],
    ['img-src', "'self'", 'data:', ...imageOrigins],
    ['font-src', "'self'"],
    ['connect-src', "'self'", ...botCheck.calls],
    // A newsletter is shown in a frame of this site's own.
    ['frame-src', ...(thirdParties ? ["'self'", ...map, ...botCheck.frames] : ["'none'"])],
    ...(worker ? [['worker-src', "'self'"]] : []),
    ['manifest-src', "'self'"],
    ['form-action', "'self'"],
    ['base-uri', "'none'"],
    ['object-src', "'none'"],
    ['frame-ancestors', "'none'"],
    ...(siteUrl.startsWith('https:') ? [['upgrade-insecure-requests']] : []),
  ]
  return directives.map((directive) => directive.join(' ')).join('; ')
}

const ELEMENTS = {
  script: /<script(?<attributes>[^>]*)>(?<content>[^]*?)<\/script>/gi,
  style: /<style(?<attributes>[^>]*)>(?<content>[^]*?)<\/style>/gi,
}

/** Scripts with an address and data blocks are not inline scripts. */
const NOT_INLINE = /\ssrc=|type="application\/(?:ld\+)?json"/i

function inlineHashes(html: string, element: 'script' | 'style'): string[] {
  const hashes = new Set<string>()
  for (const { groups } of html.matchAll(ELEMENTS[element])) {
    if (!groups || NOT_INLINE.test(groups['attributes'] ?? '')) continue
    const digest = createHash('sha256')
      .update(groups['content'] ?? '')
      .digest('base64')
    hashes.add(`'sha256-${digest}'`)
  }
  return [...hashes]
}

interface BotCheckSources {
  scripts: string[]
  calls: string[]
  frames: string[]
}

const NO_SOURCES: BotCheckSources = { scripts: [], calls: [], frames: [] }

const GOOGLE_HOSTS = ['www.google.com', 'www.recaptcha.net']

function botCheckSources(scriptUrl: string): BotCheckSources {
  const url = new URL(scriptUrl)
  const folder = new URL('.', url).href
  if (!GOOGLE_HOSTS.includes(url.hostname)) return { scripts: [folder], calls: [folder], frames: [folder] }
  return {
    scripts: [folder, 'https://www.gstatic.com/recaptcha/'],
    calls: [folder],
    frames: [folder, 'https://recaptcha.google.com/recaptcha/'],
  }
}
