import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test as base, vi } from 'vitest'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import type { ControlOrder } from '#standins/control.ts'
import { launchBrowser } from '#tests/support/browser/browser.ts'
import { journeySite } from '#tests/support/browser/journey-site.ts'
import { openMailbox } from '#tests/support/emails/mailbox.ts'
import { STEP_TIMEOUT_MS } from './expectations.ts'
import { missing, unexpected, collectBrowserErrors, type BrowserErrors } from './browser-errors.ts'

/** For a whole journey on a busy machine; hanging steps fail earlier, by their own timeouts. */
const JOURNEY_MS = 180_000
/** Painting animations costs a third of a journey's processor time: only `npm run test:all`, and journeys that are about motion, have them. */
const MOTION = process.env['TEST_ALL'] === '1' ? 'no-preference' : 'reduce'
const PICTURES = resolve(import.meta.dirname, '../../../test-results')

vi.setConfig({ testTimeout: JOURNEY_MS })

export interface Arrival extends BrowserContextOptions {
  /** Console errors and failed requests that are expected; each must occur, and no others may. */
  expects?: RegExp[]
}

interface Guest {
  context: BrowserContext
  troubles: BrowserErrors
  expects: RegExp[]
}

/**
 * `arrive` opens a new visitor's browser, without cookies; `order` sets the failures of the stand-ins, which are reset after the test; the clock is not
 * reset.
 */
export const test = base
  // oxlint-disable-next-line no-empty-pattern -- a fixture names what it needs, and this one needs nothing
  .extend('browser', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const browser = await launchBrowser()
    onCleanup(() => browser.close())
    return browser
  })
  .extend('site', { scope: 'file' }, () => journeySite())
  .extend('mailbox', { scope: 'file' }, ({ site }) => openMailbox(site.standinsUrl))
  .extend('order', async ({ site }, { onCleanup }) => {
    async function order(wish: ControlOrder): Promise<void> {
      const response = await fetch(`${site.standinsUrl}/control`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(wish),
      })
      if (!response.ok) throw new Error(`The stand-ins refused ${JSON.stringify(wish)}: ${await response.text()}`)
    }
    onCleanup(() => order({ webhooks: 'deliver', stripe: 'ok', mail: 'ok', bot: 'ok', botScore: 0.9 }))
    return order
  })
  .extend('arrive', async ({ browser, site, task }, { onCleanup }) => {
    const guests: Guest[] = []
    async function arrive({ expects = [], ...options }: Arrival = {}): Promise<Page> {
      const context = await browser.newContext({
        baseURL: site.url,
        viewport: { width: 1280, height: 800 },
        locale: 'en-US',
        reducedMotion: MOTION,
        ...options,
      })
      context.setDefaultTimeout(STEP_TIMEOUT_MS)
      guests.push({ context, expects, troubles: collectBrowserErrors(context, [site.url, site.standinsUrl]) })
      return context.newPage()
    }
    onCleanup(async () => {
      const brokeOff = task.result?.state === 'fail'
      if (brokeOff) await takePictures(guests, task.name)
      await Promise.all(guests.map(({ context }) => context.close()))
      const complaints = guests.flatMap(({ troubles, expects }) => [
        ...unexpected(troubles, expects),
        ...(brokeOff ? [] : missing(troubles, expects)),
      ])
      expect(complaints).toEqual([])
    })
    return arrive
  })

/** Writes what every browser showed when a journey failed to `test-results/`. */
async function takePictures(guests: Guest[], name: string): Promise<void> {
  mkdirSync(PICTURES, { recursive: true })
  const title = name.replaceAll(/[^a-z0-9]+/gi, '-').toLowerCase()
  const pages = guests.flatMap(({ context }) => context.pages())
  await Promise.all(
    pages.map((page, place) => page.screenshot({ path: `${PICTURES}/${title}-${place + 1}.png` }).catch(() => {})),
  )
}
