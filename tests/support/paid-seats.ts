import { afterEach, beforeEach, expect } from 'vitest'
import { createSecrets } from '#server/lib/secrets.ts'
import { invariants } from '#server/monitoring/invariants/all-invariants.ts'
import { confirmByEmail } from './events.ts'
import { officerWith, recordSecondFactor } from './officers.ts'
import type { TestApp } from './test-app.ts'
import type { TestResponse, TestBrowser } from './browser/test-browser.ts'

/** Settings with a price that is free for members. */
export const PRICE = { price: 5_000, memberPrice: 0 }
export const MINUTE_MS = 60_000

/** What officers wrote to the refunds of an event. */
export async function refundNotes(app: TestApp, eventId: string): Promise<(string | null)[]> {
  const refunds = await app.database.db
    .selectFrom('refund')
    .innerJoin('rsvpOrder', 'rsvpOrder.id', 'refund.paymentId')
    .select('note')
    .where('eventId', '=', eventId)
    .execute()
  return refunds.map(({ note }) => note)
}

/** Steps of a guest who pays for seats, in an application of the file's own; after each test it checks that seats and money are consistent. */
export function paidSeats(app: () => TestApp) {
  beforeEach(async () => void (await editor()))
  afterEach(async () => {
    await app().standins.control({ webhooks: 'deliver', stripe: 'ok' })
    await app().drain()
    await expectSound()
  })

  /** An officer whose second factor is always fresh. */
  async function editor(): Promise<TestBrowser> {
    const officer = await officerWith(app(), ['editor'])
    await recordSecondFactor(app(), officer)
    return officer
  }

  async function checkInListOf(id: string): Promise<TestResponse['body']> {
    return (await (await editor()).get(`/api/console/rsvp/${id}/door`)).body
  }

  async function say(visitor: TestBrowser, eventId: string, email: string, given: Record<string, unknown> = {}) {
    const recaptchaToken = await visitor.botToken('event_rsvp')
    const body = { name: 'Leela Varghese', email, guests: 0, meals: [], ...given, recaptchaToken }
    const response = await visitor.post(`/api/events/${eventId}/rsvp`, body)
    if (response.body?.place !== 'unconfirmed') return response
    const confirmed = await confirmByEmail(app(), email)
    return { ...confirmed, body: confirmed.status === 200 ? { place: confirmed.body.place } : confirmed.body }
  }

  async function expectSound(): Promise<void> {
    const secrets = createSecrets('a secret for tests, and for tests only, of fair length')
    const tools = { db: app().database.db, now: app().now(), secrets, mediaDirectory: null }
    for (const { name, findViolations: find } of invariants.filter((one) =>
      /seat|order|paid|receipt|refund/.test(one.name),
    ))
      expect([name, await find(tools)]).toEqual([name, []])
  }

  return {
    editor,
    checkInListOf,
    say,
    countsOf: async (id: string) => (await checkInListOf(id)).event.counts,

    /** Subjects of the emails to an address, newest first, without the event's title. */
    subjects: (email: string) =>
      app()
        .standins.mails(email)
        .map(({ subject }) => subject.split(':')[0]),

    sessionsOf: (email: string) =>
      app()
        .standins.stripe.sessions()
        .filter(({ customer_email }) => customer_email === email),

    /** Sends an RSVP and pays. Returns the provider's redirect URL. */
    async payFor(eventId: string, email: string, given: Record<string, unknown> = {}): Promise<URL> {
      const visitor = app().browser()
      const { body } = await say(visitor, eventId, email, given)
      return visitor.pay(body.payAt as string)
    },

    /** The request of the page after the payment. */
    async askReturn(page: URL): Promise<TestResponse> {
      const { session_id, nonce } = Object.fromEntries(page.searchParams)
      return app().browser().post('/api/rsvp/payment', { session_id, nonce })
    },
  }
}
