import type { IncomingMessage, ServerResponse } from 'node:http'
import type { CookieJar } from './cookies.ts'
import type { PreparedResponse } from '#server/pages/prepared-response.ts'
import { sendResponse } from '#server/pages/send-response.ts'

/** What log-in, console and set-up need, and what shows nothing of the association: scripts, styles, fonts, icons. */
const ALWAYS = [
  /^\/(auth|console)(\/|$)/,
  /^\/reset-password$/,
  /^\/assets\//,
  /\.(?:css|js|mjs|svg|png|webp|avif|ico|woff2|webmanifest)$/,
  /^\/(healthz|readyz|metrics)$/,
]
const SETUP_PATH = /^\/setup(\.data)?$/

interface ClosedSiteOptions {
  opening: { isOpen(): boolean; isCode(code: string): boolean }
  cookies: CookieJar
  clock: { now(): number }
  /** Says that the site is being set up. */
  closedPage(): PreparedResponse
  sendNotFound(request: IncomingMessage, response: ServerResponse): void
}

/**
 * What visitors of a site get that is being set up: one page, with the status 503, so that search engines come back later. Browsers with the set-up cookie
 * see the site as it will be. The set-up page exists only until the site opens, and only for its code and that cookie.
 */
export function createClosedSite({ opening, cookies, clock, closedPage, sendNotFound }: ClosedSiteOptions) {
  const hasCookie = ({ headers }: IncomingMessage) => cookies.read(headers.cookie, 'setup', clock.now()) !== null

  return {
    /** Whether this browser sees a site that is not open yet. */
    mayLook: hasCookie,

    /** Answers a request for anything but the API; returns false for what is served as usual. */
    answer(request: IncomingMessage, response: ServerResponse): boolean {
      const { url = '/' } = request
      const [path = '/', query = ''] = url.split('?')
      if (opening.isOpen()) {
        if (!SETUP_PATH.test(path)) return false
        sendNotFound(request, response)
        return true
      }
      if (path.startsWith('/api/')) return false
      if (SETUP_PATH.test(path)) {
        const code = new URLSearchParams(query).get('code') ?? ''
        if (opening.isCode(code) || hasCookie(request)) return false
        sendNotFound(request, response)
        return true
      }
      if (ALWAYS.some((pattern) => pattern.test(path)) || hasCookie(request)) return false
      sendResponse(request, response, closedPage(), true)
      return true
    },
  }
}
