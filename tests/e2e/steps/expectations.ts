import { expect, vi } from 'vitest'
import type { Locator, Page } from 'playwright-core'

/** How long a step waits before it fails. */
export const STEP_TIMEOUT_MS = 15_000
/** For polling: on a busy machine a page takes longer to load than Vitest's default of a second. */
export const POLL_OPTIONS = { timeout: STEP_TIMEOUT_MS }

/** Waits until the main heading, or one below it, has this text. */
export async function seeHeading(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('heading', { name, exact: true }).waitFor()
}

/** Waits until the text is on the page. */
export async function seeText(page: Page, text: string | RegExp): Promise<void> {
  await page.getByText(text).first().waitFor()
}

/** Waits until what is in the frame is visible. */
export async function seeInFrame(frame: Locator, found: Locator): Promise<void> {
  await found.waitFor({ state: 'attached' })
  // Headless Chromium lays out a frame of another origin only once something must be painted, on a busy machine never by itself.
  await frame.screenshot()
  await found.waitFor()
}

/** Waits for an alert: an error of a form or a page. */
export async function seeAlert(page: Page, text: string | RegExp): Promise<void> {
  await page.getByRole('alert').filter({ hasText: text }).waitFor()
}

export async function seeFocusOn(control: Locator): Promise<void> {
  await control.and(control.page().locator(':focus')).waitFor()
}

/** The values of the browser's three storage keys. */
export function storedSession(page: Page): Promise<Record<'token' | 'user' | 'tempUser', string | null>> {
  return page.evaluate(() => ({
    token: localStorage.getItem('token'),
    user: localStorage.getItem('user'),
    tempUser: localStorage.getItem('tempUser'),
  }))
}

/** Waits until all three are removed. */
export async function expectEmptyStorage(page: Page): Promise<void> {
  // Polled from here, since a page with a fake clock does not wait as others do.
  await vi.waitFor(async () => expect(await storedSession(page)).toEqual(NOTHING), { timeout: STEP_TIMEOUT_MS })
}

const NOTHING = { token: null, user: null, tempUser: null }
