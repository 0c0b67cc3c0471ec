import { openEvent } from '../events.ts'
import { newOfficer, recordSecondFactor } from '../officers.ts'
import { DAY_MS, deactivate } from '../people.ts'
import { sponsorForm, SPONSOR_PATH } from '../sponsors.ts'
import type { TestApp } from '../test-app.ts'
import type { TestBrowser, TestResponse } from '../browser/test-browser.ts'

/** Someone who buys one thing and returns from the payment page, as the API and the database see it. */
export interface Buyer {
  email: string
  /** Asks for the payment page; again with another choice for `switches`. */
  start(switches?: boolean): Promise<TestResponse>
  /** The request of the page after the payment. */
  returnFrom(page: URL): Promise<TestResponse>
  /** What the association or the buyer does meanwhile, by name. */
  acts: Partial<Record<OwnAct, () => Promise<TestResponse | void>>>
  /** Whether the site knows the payment. */
  isPaid(): Promise<boolean>
  /** The final records, without ids and times. */
  records(): Promise<Record<string, unknown>>
}

export type OwnAct = 'close-account' | 'cancel-event' | 'abandon' | 'switch' | 'again'
export type BuyerKind = 'newcomer' | 'member' | 'sponsor' | 'guest'

const LEVELS = ['annual_member', 'life_member'] as const

/** Counts equal values. */
function tally(values: readonly unknown[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const value of values.map(String).sort()) counts[value] = (counts[value] ?? 0) + 1
  return counts
}

export async function newBuyer(app: TestApp, kind: BuyerKind): Promise<Buyer> {
  if (kind === 'sponsor') return newSponsor(app)
  return kind === 'guest' ? newGuest(app) : newMember(app, kind === 'member')
}

/** Buys a membership, with or without an account. */
async function newMember(app: TestApp, hasAccount: boolean): Promise<Buyer> {
  const { db } = app.database
  const browser = app.browser()
  const levelKey = hasAccount ? 'medical_student' : LEVELS[0]
  const person = hasAccount ? await browser.join({ levelKey }) : (await browser.register({ levelKey })).person
  if (!hasAccount) await browser.verify(person.email)
  const { email, firstName, lastName } = person
  const start = (switches = false) =>
    browser.post('/api/stripe/checkout/start', { levelKey: LEVELS[switches ? 1 : 0], email, firstName, lastName })
  const account = () => db.selectFrom('account').selectAll().where('emailKey', '=', email).executeTakeFirst()
  const personIds = async () => {
    const registrations = await db
      .selectFrom('pendingRegistration')
      .select('id')
      .where('emailKey', '=', email)
      .execute()
    return [...registrations.map(({ id }) => id), (await account())?.id ?? '']
  }
  const orders = async () =>
    db
      .selectFrom('checkout')
      .selectAll()
      .where('personId', 'in', await personIds())
      .execute()
  return {
    email,
    start,
    returnFrom: (page) => browser.verifySession(page),
    acts: {
      switch: () => start(true),
      again: () => start(),
      ...(hasAccount && { 'close-account': () => deactivate(app, email, 'officer') }),
    },
    isPaid: async () => (await orders()).some(({ state }) => state === 'completed' || state === 'refunded'),
    async records() {
      const id = (await account())?.id ?? ''
      const payments = await db.selectFrom('payment').selectAll().where('accountId', '=', id).execute()
      const memberships = await db.selectFrom('membership').selectAll().where('accountId', '=', id).execute()
      const audit = await db.selectFrom('audit').select('action').where('subjectId', '=', id).execute()
      return {
        orders: tally(
          (await orders()).map(({ state }) => state).filter((state) => /completed|paid|refunded/.test(state)),
        ),
        isPending: (await orders()).some(({ state }) => state === 'creating' || state === 'open'),
        hasOpenKey: (await orders()).some(({ openKey: key }) => key !== null),
        payments: payments.map((one) => [one.purpose, one.levelKey, one.amount, one.amountRefunded, one.disputeState]),
        receipts: payments.map(({ receiptSentAt: at }) => at !== null),
        membership: memberships
          .filter((one) => one.isCurrent === 1)
          // Nothing reads the subscription's status once the membership ended.
          .map((one) => [one.levelKey, one.endedAt === null ? one.stripeStatus : 'ended']),
        started: tally(audit.map(({ action }) => action).filter((action) => action === 'membership.started')),
      }
    },
  }
}

async function newSponsor(app: TestApp): Promise<Buyer> {
  const { db } = app.database
  const form = sponsorForm()
  const { email } = form
  const orders = () => db.selectFrom('sponsorship').selectAll().where('email', '=', email).execute()
  const start = () => app.browser().post(SPONSOR_PATH, form)
  return {
    email,
    start,
    returnFrom: (page) => app.browser().verifySession(page),
    acts: { again: start },
    isPaid: async () => (await orders()).some(({ state }) => state === 'paid'),
    async records() {
      const all = await orders()
      const ids = all.map(({ id }) => id)
      const audit = await db.selectFrom('audit').select('action').where('subjectId', 'in', ids).execute()
      return {
        orders: all
          .filter(({ state }) => state === 'paid')
          .map((one) => [
            one.amount,
            one.amountRefunded,
            one.disputeState,
            one.receiptNumber !== null,
            one.logoUntil !== null,
          ]),
        isPending: all.some(({ state }) => state === 'creating' || state === 'open'),
        hasOpenKey: all.some(({ openKey: key }) => key !== null),
        paid: tally(audit.map(({ action }) => action).filter((action) => action === 'sponsorship.paid')),
      }
    },
  }
}

const presidents = new WeakMap<TestApp, { browser: TestBrowser; until: number }>()
const SESSION_MS = 5 * DAY_MS

/** An officer with a second factor, in a session that lasts longer than a story. */
async function presidentOf(app: TestApp): Promise<TestBrowser> {
  const known = presidents.get(app)
  const president =
    known && known.until > app.now()
      ? known
      : { browser: (await newOfficer(app, ['president'])).browser, until: app.now() + SESSION_MS }
  presidents.set(app, president)
  await recordSecondFactor(app, president.browser)
  return president.browser
}

/** Buys two seats at an event that has no more. */
async function newGuest(app: TestApp): Promise<Buyer> {
  const { db } = app.database
  const president = await presidentOf(app)
  const eventId = await openEvent(app, { price: 5_000, capacity: 2 }, 10, president)
  const email = `guest-of-${eventId}@example.com`
  const orders = () => db.selectFrom('rsvpOrder').selectAll().where('eventId', '=', eventId).execute()
  const browser = app.browser()
  const start = async () => {
    const recaptchaToken = await browser.botToken('event_rsvp')
    const body = { name: 'Leela Varghese', email, guests: 1, meals: [], recaptchaToken }
    const { status, headers, body: reply } = await browser.post(`/api/events/${eventId}/rsvp`, body)
    return { status, headers, body: { ...reply, sessionUrl: reply.payAt as unknown } }
  }
  return {
    email,
    start,
    returnFrom: ({ searchParams }) =>
      browser.post('/api/rsvp/payment', {
        session_id: searchParams.get('session_id'),
        nonce: searchParams.get('nonce'),
      }),
    acts: {
      again: start,
      async abandon() {
        const session = app.standins.stripe.sessions().find(({ customer_email }) => customer_email === email)
        const { searchParams } = new URL(session?.cancel_url ?? '')
        const order = { order: searchParams.get('order'), nonce: searchParams.get('nonce') }
        return browser.post('/api/rsvp/payment/give-up', order)
      },
      async 'cancel-event'() {
        await recordSecondFactor(app, president)
        return president.post(`/api/console/rsvp/${eventId}/call-off`, { announcement: 'The hall has flooded.' })
      },
    },
    isPaid: async () => (await orders()).some(({ state }) => state === 'paid'),
    async records() {
      const all = await orders()
      const rsvps = await db.selectFrom('rsvp').selectAll().where('eventId', '=', eventId).execute()
      const ids = all.map(({ id }) => id)
      const refunds = await db.selectFrom('refund').selectAll().where('paymentId', 'in', ids).execute()
      const audit = await db.selectFrom('audit').select('action').where('subjectId', 'in', ids).execute()
      return {
        orders: all
          .filter(({ state }) => state === 'paid')
          .map((one) => [one.amount, one.amountRefunded, one.disputeState, one.isSeated, one.receiptNumber !== null]),
        isPending: all.some(({ state }) => state === 'creating' || state === 'open'),
        hasOpenKey: all.some(({ openKey: key }) => key !== null),
        rsvps: rsvps.map(({ status, guests }) => [status, guests]),
        refundsDone: refunds.every(({ doneAt: at }) => at !== null),
        paid: tally(audit.map(({ action }) => action).filter((action) => action === 'rsvp-payment.paid')),
      }
    },
  }
}
