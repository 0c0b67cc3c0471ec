import { expect, vi } from 'vitest'
import type { Locator, Page } from 'playwright-core'

/** How long a person waits for anything before giving up. */
export const PATIENCE_MS = 15_000
/** For what is looked for again and again: a busy machine loads a page in more than the second that Vitest gives it. */
export const PATIENCE = { timeout: PATIENCE_MS }

/** Waits until the page says so in its main heading, or in one below it. */
export async function seeHeading(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('heading', { name, exact: true }).waitFor()
}

/** Waits until the text stands on the page. */
export async function seeText(page: Page, text: string | RegExp): Promise<void> {
  await page.getByText(text).first().waitFor()
}

/** Waits for a message that interrupts: a form's failure or a page's. */
export async function seeAlert(page: Page, text: string | RegExp): Promise<void> {
  await page.getByRole('alert').filter({ hasText: text }).waitFor()
}

export async function seeFocusOn(control: Locator): Promise<void> {
  await control.and(control.page().locator(':focus')).waitFor()
}

/** What the browser keeps under its three keys. */
export function storedSession(page: Page): Promise<Record<'token' | 'user' | 'tempUser', string | null>> {
  return page.evaluate(() => ({
    token: localStorage.getItem('token'),
    user: localStorage.getItem('user'),
    tempUser: localStorage.getItem('tempUser'),
  }))
}

/** Waits until none of the three is left. */
export async function seeNothingStored(page: Page): Promise<void> {
  // Asked from here, since a page whose clock was moved does not wait as others do.
  await vi.waitFor(async () => expect(await storedSession(page)).toEqual(NOTHING), { timeout: PATIENCE_MS })
}

const NOTHING = { token: null, user: null, tempUser: null }
