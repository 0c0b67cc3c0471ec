import { createHash } from 'node:crypto'

interface PolicyOptions {
  /** The document as sent: its inline scripts and styles are allowed by hash. */
  html: string
  siteUrl: string
  /** The URLs of third parties, empty without that provider, as on a site that is being set up; null for a page without any. */
  thirdParties: { recaptchaScriptUrl: string; mapEmbedUrl: string } | null
  /** Additional origins of images. */
  imageOrigins: readonly string[]
  /** Whether the page may register the service worker for offline use. */
  worker?: boolean | undefined
}

/** The content security policy of one document: no `unsafe-inline` for scripts, and hashes instead of nonces so that the page can be cached. */
export function contentSecurityPolicy({ html, siteUrl, thirdParties, imageOrigins, worker }: PolicyOptions): string {
  const botCheck = thirdParties?.recaptchaScriptUrl ? botCheckSources(thirdParties.recaptchaScriptUrl) : NO_SOURCES
  const map = thirdParties?.mapEmbedUrl ? [new URL(thirdParties.mapEmbedUrl).origin] : []
  const directives = [
    ['default-src', "'none'"],
    ['script-src', "'self'", ...inlineHashes(html, 'script'), ...botCheck.scripts],
    ['style-src', "'self'", ...inlineHashes(html, 'style')],
    // Headless UI positions menus and dialogs by style attributes; under this policy, an attribute cannot run or load anything.
    ['style-src-attr', "'unsafe-inline'"],
    ['img-src', "'self'", 'data:', ...imageOrigins],
    ['font-src', "'self'"],
    ['connect-src', "'self'", ...botCheck.calls],
    // Newsletters are shown in a same-origin frame.
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

/** Scripts with `src` and data blocks are not inline scripts. */
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
