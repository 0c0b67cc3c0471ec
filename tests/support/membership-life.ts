import { expect } from 'vitest'
import { DAY_MS } from './people.ts'
import type { TestApp } from './test-app.ts'
import type { TestBrowser } from './browser/test-browser.ts'

/** Pays now and is declined at every renewal. */
export const FAILS_AT_RENEWAL = '4000000000000341'
/** Pays, and the cardholder disputes it immediately. */
export const DISPUTED = '4000000000000259'

export interface Member {
  browser: TestBrowser
  email: string
}

/** Actions of a member, and the passing of time. */
export function membershipLife(app: () => TestApp) {
  /** Advances the clock; webhook events arrive, effects and jobs run. */
  async function pass(days: number): Promise<void> {
    await app().advance(Math.round(days * DAY_MS))
    await app().drain()
    await app().drain()
  }

  return {
    pass,

    /** The same up to so many days after the end of the member's current term, or with a negative number before it: years differ in length. */
    async passToEnd({ email }: Pick<Member, 'email'>, days: number): Promise<void> {
      const { endsAt } = await app()
        .database.db.selectFrom('membership')
        .innerJoin('account', 'account.id', 'membership.accountId')
        .select('endsAt')
        .where('emailKey', '=', email)
        .where('isCurrent', '=', 1)
        .executeTakeFirstOrThrow()
      if (endsAt === null) throw new Error(`The membership of ${email} has no end.`)
      await pass((endsAt - app().now()) / DAY_MS + days)
    },

    /** Actions of an officer in the provider's dashboard, through its API; the application does not process those that are not `isHeard`. */
    async provider(
      path: string,
      fields: Record<string, string>,
      { isHeard = true } = {},
    ): Promise<Record<string, unknown>> {
      const response = await fetch(`${app().standins.url}/v1/${path}`, {
        method: 'POST',
        headers: { authorization: 'Bearer sk_test_standin', 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(fields),
      })
      const body = (await response.json()) as Record<string, unknown>
      if (!response.ok) throw new Error(JSON.stringify(body))
      if (isHeard) await app().drain()
      return body
    },

    /** A new member, who paid. */
    async join({ card, levelKey = 'annual_member' }: { card?: string; levelKey?: string } = {}): Promise<Member> {
      const browser = app().browser()
      const { person, start } = await browser.registerAndStart({ levelKey })
      if (start.body.completed) browser.token = start.body.token as string
      else {
        const { body } = await browser.verifySession(await browser.pay(start.body.sessionUrl as string, card))
        browser.token = body.token as string
      }
      await app().drain()
      return { browser, email: person.email }
    },

    /** The membership as the member sees it now; logs in again, since tokens last 7 days. */
    async subscriptionOf({ email }: Pick<Member, 'email'>) {
      const { body } = await app().browser().logIn(email)
      const { status, kind, startDate, nextBillDate, cancelDate, membershipLevel } = body.subscription as Record<
        string,
        string
      > & { membershipLevel: { key: string } }
      return { status, kind, startDate: startDate ?? '', nextBillDate, cancelDate, levelKey: membershipLevel.key }
    },

    /** The action requested in the customer portal. */
    async inPortal(
      { email }: Pick<Member, 'email'>,
      action: 'cancel' | 'resume' | 'card' | 'plan',
      fields: object = {},
    ): Promise<void> {
      const browser = app().browser()
      await browser.logIn(email)
      const { body } = await browser.post('/api/billing/portal-session')
      const response = await fetch(`${body.url as string}/${action}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(fields),
      })
      expect(response.status, await response.text()).toBe(200)
      await app().drain()
    },

    /** Subjects of the emails to an address, oldest first. */
    subjectsTo: (email: string) =>
      app()
        .standins.mails(email)
        .map(({ subject }) => subject)
        .reverse(),

    /** The newest email to an address with a matching subject. */
    emailTo(email: string, subject: RegExp) {
      const message = app()
        .standins.mails(email)
        .find((mail) => subject.test(mail.subject))
      if (!message) throw new Error(`No email matches ${subject} for ${email}`)
      return message
    },

    /** The account's id and rows. */
    async rowsOf({ email }: Pick<Member, 'email'>) {
      const { db } = app().database
      const { id } = await db.selectFrom('account').select('id').where('emailKey', '=', email).executeTakeFirstOrThrow()
      const payments = await db
        .selectFrom('payment')
        .selectAll()
        .where('accountId', '=', id)
        .orderBy('paidAt')
        .orderBy('recordedAt')
        .orderBy('id')
        .execute()
      const memberships = await db.selectFrom('membership').selectAll().where('accountId', '=', id).execute()
      const reminders = await db
        .selectFrom('membershipReminder')
        .selectAll()
        .where('accountId', '=', id)
        .orderBy('queuedAt')
        .orderBy('id')
        .execute()
      return { id, payments, reminders, current: memberships.find((row) => row.isCurrent === 1), memberships }
    },
  }
}

/** To the second, since the provider counts in seconds. */
export function second(instant: string | number | null | undefined): number {
  return Math.floor((typeof instant === 'number' ? instant : Date.parse(instant ?? '')) / 1_000)
}
