import { afterEach, beforeEach, expect } from 'vitest'
import { createSecrets } from '#server/platform/secrets.ts'
import { invariants } from '#server/watching/invariants/invariants.ts'
import { confirmByEmail } from './events.ts'
import { officerWith, prove } from './officers.ts'
import type { TestApp } from './test-app.ts'
import type { TestAnswer, TestBrowser } from './test-browser.ts'

/** What costs something, but nothing for members. */
export const PRICE = { price: 5_000, memberPrice: 0 }
export const MINUTE_MS = 60_000

/** Steps of whoever pays for seats, in an application of the file's own; after each test seats and money must be sound. */
export function paidSeats(app: () => TestApp) {
  beforeEach(async () => void (await editor()))
  afterEach(async () => {
    await app().standins.control({ webhooks: 'deliver', stripe: 'ok' })
    await app().settle()
    await expectSound()
  })

  /** Whose second factor is fresh, however much time went by. */
  async function editor(): Promise<TestBrowser> {
    const officer = await officerWith(app(), ['editor'])
    await prove(app(), officer)
    return officer
  }

  async function doorOf(id: string): Promise<TestAnswer['body']> {
    return (await (await editor()).get(`/api/console/rsvp/${id}/door`)).body
  }

  async function say(visitor: TestBrowser, eventId: string, email: string, given: Record<string, unknown> = {}) {
    const recaptchaToken = await visitor.botToken('event_rsvp')
    const body = { name: 'Leela Varghese', email, guests: 0, meals: [], ...given, recaptchaToken }
    const answer = await visitor.post(`/api/events/${eventId}/rsvp`, body)
    if (answer.body?.place !== 'unconfirmed') return answer
    const confirmed = await confirmByEmail(app(), email)
    return { ...confirmed, body: confirmed.status === 200 ? { place: confirmed.body.place } : confirmed.body }
  }

  async function expectSound(): Promise<void> {
    const secrets = createSecrets('a secret for tests, and for tests only, of fair length')
    const tools = { db: app().database.db, now: app().now(), secrets, mediaDirectory: null }
    for (const { name, find } of invariants.filter((one) => /seat|order|paid|receipt|refund/.test(one.name)))
      expect([name, await find(tools)]).toEqual([name, []])
  }

  return {
    editor,
    doorOf,
    say,
    countsOf: async (id: string) => (await doorOf(id)).event.counts,

    /** Of the letters to an address, the newest first, without the event's title. */
    subjects: (email: string) =>
      app()
        .standins.mails(email)
        .map(({ subject }) => subject.split(':')[0]),

    sessionsOf: (email: string) =>
      app()
        .standins.stripe.sessions()
        .filter(({ customer_email }) => customer_email === email),

    /** Says that they come, and pays. Answers where the provider sends them back to. */
    async payFor(eventId: string, email: string, given: Record<string, unknown> = {}): Promise<URL> {
      const visitor = app().browser()
      const { body } = await say(visitor, eventId, email, given)
      return visitor.pay(body.payAt as string)
    },

    /** What the page asks that somebody comes back to. */
    async askReturn(page: URL): Promise<TestAnswer> {
      const { session_id, nonce } = Object.fromEntries(page.searchParams)
      return app().browser().post('/api/rsvp/payment', { session_id, nonce })
    },
  }
}
