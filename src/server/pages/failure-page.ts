import { paletteOf, type Colors, type Palette } from '#contract/brand/palette.ts'
import { securityHeaders } from '../http/security-headers.ts'
import { type PreparedResponse, prepareResponse } from './prepared-response.ts'
import { contentSecurityPolicy } from './content-security-policy.ts'

interface Words {
  title: string
  text: string
  action: { label: string; href: string }
  retryAfterSeconds: number
}

const FAILURE: Words = {
  title: 'We’ll be right back',
  text: 'This page is not available right now. Nothing you saved is lost. Please try again in a minute.',
  action: { label: 'Try again', href: '' },
  retryAfterSeconds: 10,
}

/** Of a site that officers have not opened yet. */
const CLOSED: Words = {
  title: 'This site is being set up',
  text: 'It is not open yet. Please come back in a few days.',
  action: { label: 'Log in as an officer', href: '/auth/login?next=/console' },
  retryAfterSeconds: 3_600,
}

/** Of a demo while it starts afresh. */
const RESETTING: Words = {
  title: 'This demo is resetting',
  text: 'That takes a few seconds. What visitors wrote is gone, and everything is as it was.',
  action: { label: 'Try again', href: '' },
  retryAfterSeconds: 5,
}

/** Self-contained, because it is shown when nothing else works. Shapes are those of `styles/tokens.css`. */
function failureHtml({ light, dark }: Palette, { title, text, action }: Words): string {
  return `<!doctype html>
<html lang="en-US">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<style>
:root{color-scheme:light dark;${colorsOf(light)}}
@media(prefers-color-scheme:dark){:root{${colorsOf(dark)}}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1rem;background:var(--ground);color:var(--ink);font:1.125rem/1.58 'Anek Latin',system-ui,sans-serif}
main{max-width:34rem;padding:2.5rem 2rem;background:var(--paper);border:1px solid var(--line);border-top:6px solid ${light.action};border-radius:3px 9px 4px 11px;text-align:center}
img{width:96px;height:96px}
h1{margin:.5rem 0 1rem;color:var(--heading);font:600 2.125rem/1.1 Eczar,Georgia,serif}
p{margin:0 0 1.5rem;color:var(--soft)}
a{display:inline-block;min-height:48px;padding:.6rem 1.5rem;background:${light.action};color:${light['action-ink']};border-bottom:3px solid ${light['action-edge']};border-radius:3px 9px 4px 11px;font-weight:600;text-decoration:none}
a:focus-visible{outline:3px solid var(--heading);outline-offset:3px}
</style>
</head>
<body>
<main>
<img src="/favicon.svg" alt="" width="96" height="96">
<h1>${title}</h1>
<p>${text}</p>
<a href="${action.href}">${action.label}</a>
</main>
</body>
</html>
`
}

function colorsOf(colors: Colors): string {
  return `--ground:${colors.ground};--paper:${colors.paper};--ink:${colors.ink};--soft:${colors['ink-soft']};--heading:${colors.heading};--line:${colors.line}`
}

/** Shown if the services fail and there is no outdated copy of the page. Prepared once for each palette. */
export const createFailurePages = (siteUrl: string, palette: () => Palette) => preparePage(siteUrl, palette, FAILURE)

/** Shown to visitors of a site that is being set up. */
export const createClosedPages = (siteUrl: string, palette: () => Palette) => preparePage(siteUrl, palette, CLOSED)

/** Shown while a demo starts afresh. */
export const createResetPage = (siteUrl: string) => createPage(siteUrl, paletteOf(), RESETTING)

function preparePage(siteUrl: string, palette: () => Palette, words: Words): () => PreparedResponse {
  let latest: { palette: Palette; page: PreparedResponse } | null = null
  return () => {
    const current = palette()
    if (latest?.palette !== current) latest = { palette: current, page: createPage(siteUrl, current, words) }
    return latest.page
  }
}

function createPage(siteUrl: string, palette: Palette, words: Words): PreparedResponse {
  const html = failureHtml(palette, words)
  const policy = contentSecurityPolicy({ html, siteUrl, thirdParties: null, imageOrigins: [] })
  return prepareResponse({
    status: 503,
    contentType: 'text/html; charset=utf-8',
    body: Buffer.from(html),
    headers: [
      ...securityHeaders({ siteUrl }),
      ['content-security-policy', policy],
      ['cache-control', 'no-store'],
      ['x-robots-tag', 'noindex'],
      ['retry-after', String(words.retryAfterSeconds)],
    ],
    compressible: false,
  })
}
