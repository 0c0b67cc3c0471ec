import type { Browser, Dialog, Page } from 'playwright-core'
import { SAMPLE_PASSWORD } from '#tests/e2e/steps/people.ts'
import { arrive, visit } from '../browser/browsing.ts'
import { newPerson } from '../people.ts'
import type { Faults } from '../row.ts'
import type { World } from '../site.ts'

/** Visitors do not wait longer than this. */
const Response_WITHIN_MS = 10_000
const SLOW_MS = 20_000
const EACH_FAULT = ['refuse', 'blackhole', 'slow', 'garbage', 'error'] as const

type Service = 'bot' | 'stripe' | 'mail'

/** One form, submitted while a service it needs is down, and its message (docs/product-rules.md#bot-check). */
interface Use {
  name: string
  service: Service
  path: string
  fill(page: Page): Promise<void>
  button: string
  /** Resolves when the page shows the expected message; called before the button is pressed. */
  answer(page: Page): Promise<unknown>
  /** A field that must keep its input. */
  kept?: string
}

const USES: Use[] = [
  {
    name: 'a message without the bot check',
    service: 'bot',
    path: '/contact',
    fill: writeMessage,
    button: 'Send message',
    async answer(page) {
      await see(page, /^Sorry, there was an error sending your message\. Please try again in a few minutes/)
      await see(page, 'Security verification failed. Please refresh the page and try again.')
    },
    kept: 'Message',
  },
  {
    name: 'a subscription without the bot check',
    service: 'bot',
    path: '/newsletter/subscribe',
    fill: giveEmail,
    button: 'Subscribe',
    async answer(page) {
      await see(page, 'Security verification failed. Please try again.')
      await see(page, 'Security verification failed. Please refresh the page and try again.')
    },
    kept: 'Email',
  },
  {
    name: 'a log-in without the bot check goes on',
    service: 'bot',
    path: '/auth/login',
    async fill(page) {
      await page.getByLabel('Email or username').fill('annual@example.org')
      await page.getByLabel('Password', { exact: true }).fill(SAMPLE_PASSWORD)
    },
    button: 'Log in',
    answer: (page) => page.waitForURL((url) => url.pathname === '/'),
  },
  {
    name: 'a message without the mail server',
    service: 'mail',
    path: '/contact',
    fill: writeMessage,
    button: 'Send message',
    answer: (page) => see(page, /^Thank you! Your message has been sent successfully\./),
  },
  {
    name: 'a subscription without the mail server',
    service: 'mail',
    path: '/newsletter/subscribe',
    fill: giveEmail,
    button: 'Subscribe',
    answer: (page) => see(page, /^(Check your email to confirm|Successfully subscribed)/),
  },
  {
    name: 'a sponsorship without the card provider',
    service: 'stripe',
    path: '/sponsor-us',
    async fill(page) {
      await page.getByRole('button', { name: 'Select Gold' }).click()
      await page.getByLabel('Full name').fill('Leela Varghese')
      await page.getByLabel('Email').fill(newPerson().email)
      await page.getByLabel('Company or organization').fill('Kaveri Labs')
    },
    button: 'Continue to payment',
    async answer(page) {
      const said = await page.waitForEvent('dialog').then(readAndClose)
      const expected = 'Checkout failed: The card provider is not responding. Please try again or contact us.'
      if (said !== expected) throw new Error(`The alert says "${said}"`)
    },
    kept: 'Company or organization',
  },
]

/** How the sponsors call fails, and what the page shows besides or instead of the logo wall (docs/product-rules.md#lists-that-cannot-be-loaded). */
const SPONSOR_LISTS = {
  'no network': { text: 'Failed to load sponsors', logos: true },
  'an error': { text: 'No sponsors available at the moment.', logos: false },
  nonsense: { text: 'No sponsors available at the moment.', logos: false },
  'no answer': { text: null, logos: true },
} as const

/** Submits each form while the service it needs is down. Returns the count, and the longest time until the page showed a message, in milliseconds. */
export async function submitFormsDuringOutage(world: World, browser: Browser, faults: Faults) {
  let uses = 0
  let slowest = 0
  for (const use of USES) {
    for (const fault of EACH_FAULT) {
      const what = `${use.name}: ${fault}`
      const guest = await arrive(browser, world)
      try {
        await visit(guest.page, use.path)
        await world.control({ [use.service]: fault, ...(fault === 'slow' && { slowMs: SLOW_MS }) })
        await use.fill(guest.page)
        // A dialog is rendered outside the page's main element.
        const button = guest.page.locator('main, [role=dialog]').getByRole('button', { name: use.button })
        const startedAt = performance.now()
        await Promise.all([use.answer(guest.page), button.click()])
        const ms = performance.now() - startedAt
        faults.expect(ms < Response_WITHIN_MS, 'a page that was silent for long', `${what} ${Math.round(ms)} ms`)
        slowest = Math.max(slowest, ms)
        const kept = use.kept ? await guest.page.getByLabel(use.kept, { exact: true }).inputValue() : 'nothing'
        faults.expect(kept !== '', 'what was typed is gone', what)
      } catch (error) {
        faults.add('another answer', `${what} ${String(error)}`)
      } finally {
        await world.control({ [use.service]: 'ok' })
        await guest.leave()
      }
      uses++
    }
  }
  return { uses, slowest }
}

/** The logo wall when its list fails. Returns the number of pages checked. */
export async function checkSponsorsDuringOutage(world: World, browser: Browser, faults: Faults): Promise<number> {
  let looked = 0
  for (const [how, { text, logos }] of Object.entries(SPONSOR_LISTS)) {
    for (const path of ['/', '/sponsor-us']) {
      const guest = await arrive(browser, world)
      await guest.page.route('**/api/sponsors', async (route) => {
        if (how === 'no network') return route.abort()
        if (how === 'an error') return route.fulfill({ status: 500, json: { message: 'x', code: 'INTERNAL' } })
        if (how === 'nonsense') return route.fulfill({ status: 200, body: '<html>', contentType: 'text/html' })
        return undefined
      })
      await guest.page.goto(path)
      const wall = guest.page.locator('.sponsor-wall')
      const isRight = await (text === null ? wall.first().waitFor() : see(guest.page, text)).then(
        async () => (await wall.count()) > 0 === logos,
        () => false,
      )
      faults.expect(isRight, 'sponsors without their text', `${path}: ${how}`)
      await guest.leave()
      looked++
    }
  }
  return looked
}

async function writeMessage(page: Page): Promise<void> {
  await page.getByLabel('Name').fill('Leela Varghese')
  await page.getByLabel('Email').fill(newPerson().email)
  await page.getByLabel('Subject').fill('A question')
  await page.getByLabel('Message').fill('When is the next clinic day, please?')
}

async function giveEmail(page: Page): Promise<void> {
  await page.getByLabel('Email').fill(newPerson().email)
}

async function see(page: Page, text: string | RegExp): Promise<void> {
  await page.locator('main').getByText(text).first().waitFor()
}

async function readAndClose(dialog: Dialog): Promise<string> {
  const said = dialog.message()
  await dialog.accept()
  return said
}
