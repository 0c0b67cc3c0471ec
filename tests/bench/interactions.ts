import type { Browser, Page } from 'playwright-core'
import { PHONE } from './page-weight.ts'

const CPU_SLOWER = 4
/** Time after an interaction for the browser to paint and report it. */
const PAINT_MS = 400

export interface Interaction {
  what: string
  /** Time from the interaction to the next paint, as in INP; the browser does not report those under 16 ms. */
  ms: number
}

/** A visitor on a slow phone who opens everything that opens and fills in the forms. The slowest interaction of each step. */
export async function interact(browser: Browser, siteUrl: string): Promise<Interaction[]> {
  const context = await browser.newContext(PHONE)
  try {
    const page = await context.newPage()
    await page.addInitScript(watchInteractions)
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWER })
    const interactions: Interaction[] = []

    async function step(what: string, act: (page: Page) => Promise<unknown>): Promise<void> {
      await page.evaluate(() => window.takeInteractions?.())
      await act(page)
      await page.waitForTimeout(PAINT_MS)
      const times = await page.evaluate(() => window.takeInteractions?.() ?? [])
      interactions.push({ what, ms: Math.max(0, ...times) })
    }

    await page.goto(siteUrl, { waitUntil: 'networkidle' })
    await step('open the menu', () => page.getByRole('button', { name: 'Open menu' }).tap())
    await step('close the menu', () => page.getByRole('button', { name: 'Close menu' }).tap())
    await step('open the notice', () => page.getByRole('button', { name: /^Notices/ }).tap())
    await step('close the notice', () => page.keyboard.press('Escape'))
    await step('go to the memberships', async () => {
      await page.getByRole('link', { name: 'Become a Member' }).first().tap()
      await page.getByRole('heading', { level: 1, name: 'Become a member' }).waitFor()
    })
    await step('fold the explanation', () => page.locator('main summary').first().tap())
    await step('choose a level', async () => {
      await page
        .getByRole('button', { name: /^Select / })
        .first()
        .tap()
      await page.getByLabel('Username').waitFor()
    })
    await step('type a username', () => page.getByLabel('Username').pressSequentially('asha.iyer'))
    await step('type an address', () =>
      page
        .getByLabel(/^Email/)
        .first()
        .pressSequentially('asha@example.org'),
    )
    await page.goto(`${siteUrl}/auth/login`, { waitUntil: 'networkidle' })
    await step('type a name', () => page.getByLabel('Email or username').pressSequentially('asha'))
    await step('type a password', () => page.getByLabel('Password', { exact: true }).pressSequentially('Magnolia'))
    await step('show the password', () => page.getByRole('button', { name: 'Show password' }).tap())
    await step('log in, refused', async () => {
      await page.getByRole('main').getByRole('button', { name: 'Log in' }).tap()
      await page.getByRole('alert').first().waitFor()
    })
    return interactions
  } finally {
    await context.close()
  }
}

declare global {
  interface Window {
    /** Durations of the interactions since the last call, in ms. */
    takeInteractions?: () => number[]
  }
}

/** Runs in the page. */
function watchInteractions(): void {
  let durations: number[] = []
  const dot = document.createElement('div')
  dot.style.cssText = 'position: fixed; top: 0; left: 0; width: 1px; height: 1px'
  function paintDot(): void {
    document.body.append(dot)
    dot.style.background = dot.style.background === 'red' ? 'blue' : 'red'
  }
  function keep(entries: PerformanceEntryList): void {
    for (const entry of entries) {
      if ((entry as PerformanceEntry & { interactionId?: number }).interactionId) durations.push(entry.duration)
    }
  }
  const observer = new PerformanceObserver((list) => keep(list.getEntries()))
  observer.observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit)
  // A full browser paints nothing after a key that changes nothing, such as the release of Escape, and would count until the next paint, whenever that is.
  for (const name of ['keydown', 'keyup', 'pointerdown', 'pointerup', 'click']) addEventListener(name, paintDot, true)
  window.takeInteractions = () => {
    keep(observer.takeRecords())
    const taken = durations
    durations = []
    return taken
  }
}
