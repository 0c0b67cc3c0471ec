import type { Page } from 'playwright-core'
import { SAMPLE_PASSWORD } from '#tests/e2e/steps/people.ts'
import { arrive, type Guest, memberState, waitUntilIdle, visit, withBrowser } from '#tests/trust/browser/browsing.ts'
import { request } from '#tests/trust/http.ts'
import { inParallel } from '#tests/trust/load.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import type { World } from '#tests/trust/site.ts'

const EVIL = 'evil.example'
const AT_ONCE = 4

/** Spellings of an external URL that confuse some parsers; all name the same host. */
const PAYLOADS: readonly string[] = [
  `https://${EVIL}`,
  `http://${EVIL}`,
  `HTTPS://${EVIL}`,
  `//${EVIL}`,
  `///${EVIL}`,
  `////${EVIL}/%2f..`,
  `/\\${EVIL}`,
  `\\/${EVIL}`,
  `\\\\${EVIL}`,
  `/\\/${EVIL}`,
  `/\\\\${EVIL}`,
  `https:${EVIL}`,
  `https:/${EVIL}`,
  `https:///${EVIL}`,
  `https:\\\\${EVIL}`,
  `/%2f%2f${EVIL}`,
  `/%5c${EVIL}`,
  `%2f%2f${EVIL}`,
  `/%09/${EVIL}`,
  `/\t/${EVIL}`,
  `/\n/${EVIL}`,
  `/\r\n/${EVIL}`,
  `\t//${EVIL}`,
  ` //${EVIL}`,
  `/ /${EVIL}`,
  `\u0000//${EVIL}`,
  `\u00a0//${EVIL}`,
  `//${EVIL}/`,
  `//${EVIL}?`,
  `//${EVIL}#`,
  `//${EVIL}\\@localhost`,
  `//localhost@${EVIL}`,
  `https://localhost@${EVIL}`,
  `https://localhost:3000@${EVIL}`,
  `https://localhost%40${EVIL}`,
  `https://localhost.${EVIL}`,
  `https://${EVIL}%23.localhost`,
  `https://${EVIL}/.localhost`,
  `/.//${EVIL}`,
  `/..//${EVIL}`,
  `/./..//${EVIL}`,
  `/x/..//${EVIL}`,
  `.${EVIL}`,
  `@${EVIL}`,
  `:@${EVIL}`,
  `/@${EVIL}`,
  `//${EVIL}%E3%80%82com`,
  `//\u3002${EVIL}`,
  `\uff0f\uff0f${EVIL}`,
  `/\u2215/${EVIL}`,
  `javascript:location='https://${EVIL}'`,
  `JaVaScRiPt:location='https://${EVIL}'`,
  `java\tscript:location='https://${EVIL}'`,
  `/javascript:location='https://${EVIL}'`,
  `data:text/html,<script>location='https://${EVIL}'</script>`,
  `vbscript:location='https://${EVIL}'`,
  `blob:https://${EVIL}/x`,
  `ftp://${EVIL}`,
  `//${EVIL}:80/auth/account`,
  `/auth/account//${EVIL}`,
]

/** Common parameter names of redirect targets, sent to every page. */
const TARGETS = ['next', 'redirect', 'returnTo', 'return_to', 'url', 'continue', 'goto', 'destination']

interface Entry {
  name: string
  /** Logs the visitor in with a payload. */
  enter(world: World, page: Page, payload: string): Promise<void>
  isMember?: boolean
}

const withQuery = (path: string, own: readonly string[], payload: string) =>
  `${path}?${new URLSearchParams([...own, ...TARGETS].map((name) => [name, payload]))}`

const opening =
  (path: string, own: readonly string[] = []): Entry['enter'] =>
  async (_world, page, payload) =>
    void (await visit(page, withQuery(path, own, payload)))

const ENTRIES: Entry[] = [
  { name: 'after log-in', enter: logInWith },
  { name: 'a verification link', enter: opening('/email-verification', ['email', 'token']) },
  { name: 'a reset link', enter: opening('/reset-password', ['token', 'userId']) },
  { name: 'the way back from a payment', enter: opening('/stripe/success', ['session_id', 'nonce', 'free']) },
  { name: 'the account of a member', enter: opening('/auth/account', ['fromStripe']), isMember: true },
]

export const row: TrustRow = {
  id: 'T33',
  promise: 'Open redirect',
  gate: false,
  target: '60 payloads x 6 entry points: 0 off-site navigations',
  async run({ world: start, count }) {
    const world = await start({ pages: true })
    const payloads = PAYLOADS.slice(0, count(60, 6))
    const faults = new Faults()
    return withBrowser(async (browser) => {
      let entered = 0
      for (const entry of ENTRIES) {
        const state = entry.isMember ? await memberState(world) : undefined
        const left = [...payloads]
        await inParallel(Array.from({ length: AT_ONCE }), AT_ONCE, async () => {
          const wanderer = new Wanderer(world, await arrive(browser, world, state ? { storageState: state } : {}))
          for (let payload = left.shift(); payload !== undefined; payload = left.shift()) {
            await wanderer.tryOut(entry, payload, faults)
            entered++
          }
          await wanderer.leave()
        })
      }
      const serverCalls = await askServer(world, payloads, faults)
      return {
        passed: faults.count === 0 && PAYLOADS.length === 60,
        reached: `${payloads.length} payloads x ${ENTRIES.length + 1} entry points: ${entered} visits in Chromium, ${serverCalls} answers of the server's own redirects; off-site navigations: ${faults.countOf('left the site')}; faults: ${faults}`,
      }
    })
  },
}

/** One browser tests many payloads and reuses its cache. */
class Wanderer {
  readonly #world: World
  readonly #guest: Guest
  #left: string[] = []

  constructor(world: World, guest: Guest) {
    this.#world = world
    this.#guest = guest
    const { page, context } = guest
    context.on('request', (request) => {
      if (request.isNavigationRequest() && !this.#isKnown(request.url())) this.#left.push(request.url())
    })
    page.on('framenavigated', (frame) => {
      if (frame === page.mainFrame() && !isOurs(world, frame.url())) this.#left.push(frame.url())
    })
    context.on('page', (popup) => this.#left.push(`a window: ${popup.url()}`))
  }

  async tryOut(entry: Entry, payload: string, faults: Faults): Promise<void> {
    const { page } = this.#guest
    const what = `${entry.name}: ${JSON.stringify(payload)}`
    this.#left = []
    try {
      if (!entry.isMember) await this.#forgetVisitor()
      await entry.enter(this.#world, page, payload)
      const links = await page.evaluate(() => [...document.links].map(({ href }) => href))
      for (const link of links) {
        if (hostOf(link).endsWith(EVIL) || /^(javascript|data|vbscript|blob):/i.test(link))
          faults.add('link', `${what} ${link}`)
      }
      faults.expect(isOurs(this.#world, page.url()), 'left the site', `${what} ${page.url()}`)
    } catch (error) {
      faults.add('visit', `${what} ${(error as Error).message}`)
    }
    for (const url of this.#left) faults.add('left the site', `${what} ${url}`)
  }

  leave(): Promise<void> {
    return this.#guest.leave()
  }

  /** The next visitor is unknown to the site. */
  async #forgetVisitor(): Promise<void> {
    const { page, context } = this.#guest
    await context.clearCookies()
    if (isOurs(this.#world, page.url()) && page.url() !== 'about:blank') await page.evaluate(() => localStorage.clear())
  }

  #isKnown(url: string): boolean {
    return url === 'about:blank' || [this.#world.siteUrl, this.#world.standinsUrl].includes(new URL(url).origin)
  }
}

function isOurs(world: World, url: string): boolean {
  return url === 'about:blank' || new URL(url).origin === world.siteUrl
}

function hostOf(link: string): string {
  return URL.canParse(link) ? new URL(link).hostname : ''
}

/** The complete flow: the form is submitted, and the page navigates to its target. */
async function logInWith(world: World, page: Page, payload: string): Promise<void> {
  await visit(page, withQuery('/auth/login', [], payload))
  await page.getByLabel('Email or username').fill('annual@example.org')
  await page.getByLabel('Password', { exact: true }).fill(SAMPLE_PASSWORD)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.waitForURL(({ origin, pathname }) => origin !== world.siteUrl || pathname !== '/auth/login')
  await waitUntilIdle(page)
}

/** The server redirects other spellings of a path (308) and handles calls: none may name another host. */
async function askServer(world: World, payloads: readonly string[], faults: Faults): Promise<number> {
  let responses = 0
  for (const payload of payloads) {
    const encoded = encodeURI(payload).replaceAll('#', '%23')
    const paths = [
      `/${encoded}`,
      encoded.startsWith('/') ? encoded : `/${encoded}/`,
      `/Events/${encoded}`,
      `/EVENTS/?${new URLSearchParams(TARGETS.map((name) => [name, payload]))}`,
    ]
    for (const path of paths) {
      const { status, headers } = await request(world.site.origin, {
        path,
        headers: { host: new URL(world.siteUrl).host },
      })
      responses++
      const location = headers.location
      if (location === undefined) continue
      const target = new URL(location, world.siteUrl)
      faults.expect(target.origin === world.siteUrl, 'left the site', `${path} ${status} ${location}`)
      // As browsers parse it, treating a backslash as a slash.
      faults.expect(!/^[/\\]{2}/.test(location), 'left the site', `${path} ${status} ${location}`)
    }
  }
  return responses
}
