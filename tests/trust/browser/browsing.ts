import type { Browser, BrowserContext, BrowserContextOptions, Page, Request } from 'playwright-core'
import { unexpected, collectBrowserErrors, type BrowserErrors } from '#tests/e2e/steps/browser-errors.ts'
import { SAMPLE_PASSWORD } from '#tests/e2e/steps/people.ts'
import { launchBrowser } from '#tests/support/browser/browser.ts'
import { INTERACTIVE } from '#web/app/document/start-scripts.ts'
import { until } from '../load.ts'
import { expectStatus, Visitor } from '../people.ts'
import type { Measured } from '../row.ts'
import type { World } from '../site.ts'

const PATIENCE_MS = 20_000
const QUIET_WITHIN_MS = 5_000

export const WIDE = { width: 1280, height: 800 }
export const PHONE = { width: 360, height: 740 }
/** WCAG 1.4.10: 1280 by 1024 at 400 %. */
export const AT_400_PERCENT = { width: 320, height: 256 }
export const AT_200_PERCENT = { width: 640, height: 512 }

/** Runs `work` with a new Chromium; if none starts, the row fails and says why. */
export async function withBrowser(work: (browser: Browser) => Promise<Measured>): Promise<Measured> {
  let browser: Browser
  try {
    browser = await launchBrowser()
  } catch (error) {
    const reason = (error as Error).message
    return { passed: false, reached: 'not measured', notes: `No Chromium starts on this machine: ${reason}` }
  }
  try {
    return await work(browser)
  } finally {
    await browser.close()
  }
}

/** A new browser, without cookies unless `storageState` brings them. */
export class Guest {
  readonly context: BrowserContext
  readonly page: Page
  /** Console errors, uncaught errors, failed requests and third-party requests, as they occur. */
  readonly troubles: BrowserErrors

  constructor(context: BrowserContext, page: Page, troubles: BrowserErrors) {
    this.context = context
    this.page = page
    this.troubles = troubles
  }

  /** Errors since the last call, except expected ones. */
  takeTroubles(expected: RegExp[] = []): string[] {
    return unexpected(this.troubles.splice(0), expected)
  }

  async leave(): Promise<void> {
    await this.context.close()
  }
}

export async function arrive(browser: Browser, world: World, options: BrowserContextOptions = {}): Promise<Guest> {
  const context = await browser.newContext({
    baseURL: world.siteUrl,
    viewport: WIDE,
    locale: 'en-US',
    timezoneId: 'America/New_York',
    ...options,
  })
  context.setDefaultTimeout(PATIENCE_MS)
  const troubles = collectBrowserErrors(context, [world.siteUrl, world.standinsUrl])
  await context.addInitScript(
    (alive) => addEventListener(alive, () => (window.siteAliveAt = performance.now())),
    INTERACTIVE,
  )
  const page = await context.newPage()
  watchRequests(page)
  return new Guest(context, page, troubles)
}

/** What each page waits for: the browser reports network idle only once and never revokes it. */
const underWay = new WeakMap<Page, Set<Request>>()

function watchRequests(page: Page): void {
  const requests = new Set<Request>()
  underWay.set(page, requests)
  page.on('request', (request) => {
    // Pending requests of a document that was left are not always reported as failed.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) requests.clear()
    requests.add(request)
  })
  page.on('requestfinished', (request) => requests.delete(request))
  page.on('requestfailed', (request) => requests.delete(request))
}

/** The storage of a sample member's browser. */
export async function memberState(
  world: World,
  email = 'annual@example.org',
): Promise<NonNullable<BrowserContextOptions['storageState']>> {
  const response = expectStatus(await new Visitor(world).logIn(email, SAMPLE_PASSWORD), 200, 'login')
  const { token, user } = response.body as { token: string; user: unknown }
  const localStorage = [
    { name: 'token', value: token },
    { name: 'user', value: JSON.stringify(user) },
  ]
  return { cookies: [], origins: [{ origin: world.siteUrl, localStorage }] }
}

/** Opens a URL and waits for hydration and network idle. Resolves with its status. */
export async function visit(page: Page, address: string): Promise<number> {
  // A page about to navigate on its own, such as after logging out, may interrupt this.
  const response = await page.goto(address).catch((error: Error) => {
    if (!error.message.includes('ERR_ABORTED')) throw error
    return page.goto(address)
  })
  await page.waitForFunction(() => window.siteAliveAt)
  await waitUntilIdle(page)
  return response?.status() ?? 0
}

/** Waits until an action has taken effect, with all its requests. */
export async function waitUntilIdle(page: Page): Promise<void> {
  // A page that polls never gets quieter.
  await page.waitForLoadState('networkidle', { timeout: QUIET_WITHIN_MS }).catch(() => {})
  // A navigation replaces this document.
  await page.evaluate(nextPaint).catch(() => {})
  await until(() => Promise.resolve(underWay.get(page)?.size ? null : true), { withinMs: QUIET_WITHIN_MS, everyMs: 50 })
  await page.evaluate(async () => {
    await document.fonts.ready
    const ending = document.getAnimations().filter((it) => it.effect?.getComputedTiming().endTime !== Infinity)
    await Promise.allSettled(ending.map(({ finished }) => finished))
  })
  await page.evaluate(nextPaint)
}

/** Runs in the page: by then the action has been handled. */
async function nextPaint(): Promise<void> {
  await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)))
}

/** Adds CSS rules to a page whose policy would block them as text. */
export async function addRules(page: Page, css: string): Promise<void> {
  await page.evaluate((rules) => {
    const styleSheet = new CSSStyleSheet()
    styleSheet.replaceSync(rules)
    document.adoptedStyleSheets.push(styleSheet)
  }, css)
}

export async function dropRules(page: Page): Promise<void> {
  await page.evaluate(() => void document.adoptedStyleSheets.pop())
}

declare global {
  interface Window {
    /** Milliseconds since the navigation started. */
    siteAliveAt?: number
  }
}
