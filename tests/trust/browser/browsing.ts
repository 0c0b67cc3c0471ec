import type { Browser, BrowserContext, BrowserContextOptions, Page, Request } from 'playwright-core'
import { unexpected, watchTroubles, type Troubles } from '#tests/e2e/steps/troubles.ts'
import { SAMPLE_PASSWORD } from '#tests/e2e/steps/people.ts'
import { launchBrowser } from '#tests/support/browser.ts'
import { ALIVE } from '#web/app/start-scripts.ts'
import { until } from './load.ts'
import { expectStatus, Visitor } from './people.ts'
import type { Measured } from './row.ts'
import type { World } from './site.ts'

const PATIENCE_MS = 20_000
const QUIET_WITHIN_MS = 5_000

export const WIDE = { width: 1280, height: 800 }
export const PHONE = { width: 360, height: 740 }
/** WCAG 1.4.10: 1280 by 1024 at 400 %. */
export const AT_400_PERCENT = { width: 320, height: 256 }
export const AT_200_PERCENT = { width: 640, height: 512 }

/** Runs `work` with a Chromium of its own; where none starts, the row did not pass and says why. */
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

/** Somebody's browser, without cookies unless `storageState` brings them. */
export class Guest {
  readonly context: BrowserContext
  readonly page: Page
  /** Console errors, uncaught errors, failed requests and strangers, as they come. */
  readonly troubles: Troubles

  constructor(context: BrowserContext, page: Page, troubles: Troubles) {
    this.context = context
    this.page = page
    this.troubles = troubles
  }

  /** What went wrong since the last call, but for what belongs to the story. */
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
  const troubles = watchTroubles(context, [world.siteUrl, world.standinsUrl])
  await context.addInitScript((alive) => addEventListener(alive, () => (window.siteAliveAt = performance.now())), ALIVE)
  const page = await context.newPage()
  watchRequests(page)
  return new Guest(context, page, troubles)
}

/** What each page waits for: the browser tells once that its network is quiet, and never takes that back. */
const underWay = new WeakMap<Page, Set<Request>>()

function watchRequests(page: Page): void {
  const requests = new Set<Request>()
  underWay.set(page, requests)
  page.on('request', (request) => {
    // What a document that is gone still waited for is not always told to have failed.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) requests.clear()
    requests.add(request)
  })
  page.on('requestfinished', (request) => requests.delete(request))
  page.on('requestfailed', (request) => requests.delete(request))
}

/** What the browser of a sample member keeps. */
export async function memberState(
  world: World,
  email = 'annual@example.org',
): Promise<NonNullable<BrowserContextOptions['storageState']>> {
  const answer = expectStatus(await new Visitor(world).logIn(email, SAMPLE_PASSWORD), 200, 'login')
  const { token, user } = answer.body as { token: string; user: unknown }
  const localStorage = [
    { name: 'token', value: token },
    { name: 'user', value: JSON.stringify(user) },
  ]
  return { cookies: [], origins: [{ origin: world.siteUrl, localStorage }] }
}

/** Opens an address and waits until it has come alive and has nothing left to fetch. Resolves with its status. */
export async function visit(page: Page, address: string): Promise<number> {
  // A page that was about to go elsewhere by itself, as after signing out, may do so first and cut this short.
  const response = await page.goto(address).catch((error: Error) => {
    if (!error.message.includes('ERR_ABORTED')) throw error
    return page.goto(address)
  })
  await page.waitForFunction(() => window.siteAliveAt)
  await settle(page)
  return response?.status() ?? 0
}

/** Waits until what was pressed has had its effect, with all that it asked for. */
export async function settle(page: Page): Promise<void> {
  // A page that asks again and again is as quiet as it gets.
  await page.waitForLoadState('networkidle', { timeout: QUIET_WITHIN_MS }).catch(() => {})
  // What leads to another document takes this one away.
  await page.evaluate(nextPaint).catch(() => {})
  await until(() => Promise.resolve(underWay.get(page)?.size ? null : true), { withinMs: QUIET_WITHIN_MS, everyMs: 50 })
  await page.evaluate(async () => {
    await document.fonts.ready
    const ending = document.getAnimations().filter((it) => it.effect?.getComputedTiming().endTime !== Infinity)
    await Promise.allSettled(ending.map(({ finished }) => finished))
  })
  await page.evaluate(nextPaint)
}

/** Runs within the page: by then what was pressed has been answered. */
async function nextPaint(): Promise<void> {
  await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)))
}

/** Puts rules upon a page that its own policy would not let in as text. */
export async function addRules(page: Page, css: string): Promise<void> {
  await page.evaluate((rules) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(rules)
    document.adoptedStyleSheets.push(sheet)
  }, css)
}

export async function dropRules(page: Page): Promise<void> {
  await page.evaluate(() => void document.adoptedStyleSheets.pop())
}

declare global {
  interface Window {
    /** Milliseconds after the navigation began. */
    siteAliveAt?: number
  }
}
