import type { AppContext } from '#server/app-context.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { addDays } from '#contract/dates/days.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import type { Tx } from '#server/db/database.ts'
import type { HandlersOf } from '#server/jobs/define-effect.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { newId } from '#server/lib/ids.ts'
import { startOfDay } from '#server/lib/local-time.rules.ts'
import {
  PaymentProviderError,
  type InvoiceSnapshot,
  type SubscriptionSnapshot,
} from '#server/stripe/payment-gateway.ts'
import { lockAccount, setStripeCustomer } from '#server/features/accounts/account.commands.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import { findLevel, type Level } from '#server/features/levels/level.queries.ts'
import {
  attachSubscription,
  insertCurrentMembership,
  retireMembership,
  type AttachedSubscription,
} from '#server/features/memberships/membership.commands.ts'
import { syncSubscription } from '#server/features/memberships/membership.effects.ts'
import {
  findCurrentMembership,
  isSubscriptionKnown,
  type Membership,
} from '#server/features/memberships/membership.queries.ts'
import { recordPayment } from '#server/features/memberships/payments/payment.commands.ts'
import type { ReminderService } from '#server/features/memberships/reminders/reminder.service.ts'
import type { ActAuthorizer } from '#server/features/officers/approvals/act-guard.service.ts'
import { receiptNumber } from '#server/features/orders/payments/receipt-number.rules.ts'
import { hasSamePayment } from '../import/payment-import.repository.ts'
import { isLevelForSubscriptions } from './earlier-prices.rules.ts'
import type { importSubscription } from './subscription-import.effects.ts'
import {
  findWaitingRow,
  markRow,
  markRowImported,
  saveImportedPayment,
  type WantedSubscription,
} from './subscription-import.repository.ts'
import type { BeforeImport } from './subscription-undo.rules.ts'
import { problemOfAccount, problemOfStatus } from './subscription-verdict.rules.ts'

/** After this many attempts without an answer of the provider, a subscription is not imported. */
const TRIES = 5
/** Payments read from the provider at the same time. */
const AT_ONCE = 8

const NO_ANSWER = 'The card provider did not respond. Import it again.'
const CHANGED = 'It was changed at the card provider after the review. Import it again.'

/** What the provider says about a subscription when it is imported. */
interface AtProvider {
  /** Before the provider was asked. */
  askedAt: number
  snapshot: SubscriptionSnapshot
  /** Oldest first, without those that were refunded or disputed. */
  paid: InvoiceSnapshot[]
}

/** Imports reviewed subscriptions in the background, each in one transaction. The provider is only read. */
export function createSubscriptionImportRun(
  { db, clock, gateway, timeZone, graceMs, yearOf, wakeOutbox }: AppContext,
  { guard, reminders }: { guard: ActAuthorizer; reminders: Pick<ReminderService, 'dropDue'> },
): { effects: HandlersOf<typeof importSubscription> } {
  async function isKept({ paymentIntentId }: InvoiceSnapshot): Promise<boolean> {
    const payment = paymentIntentId === null ? null : await gateway.readPayment(paymentIntentId)
    return !payment || (payment.amountRefunded === 0 && payment.dispute === null)
  }

  async function readAtProvider(subscriptionId: string): Promise<AtProvider | null> {
    const askedAt = clock.now()
    const snapshot = await gateway.readSubscription(subscriptionId)
    if (!snapshot) return null
    const newestFirst = await gateway.listPaidInvoices(subscriptionId)
    const paid: InvoiceSnapshot[] = []
    for (let i = 0; i < newestFirst.length; i += AT_ONCE) {
      const some = newestFirst.slice(i, i + AT_ONCE)
      const kept = await Promise.all(some.map(isKept))
      paid.push(...some.filter((_, index) => kept[index]))
    }
    return { askedAt, snapshot, paid: paid.reverse() }
  }

  /** Everything that may have changed since the review. */
  async function problemNow(
    tx: Tx,
    row: WantedSubscription & { importedBy: string },
    { snapshot }: AtProvider,
    level: Level | null,
  ): Promise<string | null> {
    if (await isSubscriptionKnown(tx, row.subscriptionId)) return 'It was imported already.'
    const isAsReviewed =
      snapshot.customerId === row.customerId && snapshot.renewalAmount === row.amount && snapshot.levelKey === null
    if (!isAsReviewed) return CHANGED
    const moment = { now: clock.now(), graceMs: graceMs() }
    const account = await findAccount(tx, row.accountId)
    if (!account) return 'The account no longer exists.'
    if (!level || !isLevelForSubscriptions(level)) return 'Its level is no longer there.'
    const state = {
      isClosed: account.deactivatedBy !== null,
      refusal: await guard.refusal(tx, { act: 'recordPayments', by: row.importedBy, on: row.accountId }),
      membership: await findCurrentMembership(tx, row.accountId),
    }
    return problemOfStatus(snapshot, moment) ?? problemOfAccount(state, moment)
  }

  /** Gives the subscription to the membership that is renewed manually, or to a new one if there is none or it has ended. */
  async function attach(
    tx: Tx,
    {
      accountId,
      startedAt,
      subscription,
    }: { accountId: string; startedAt: number; subscription: AttachedSubscription },
  ): Promise<{ membershipId: string; before: BeforeImport['membership'] }> {
    const now = clock.now()
    const current = await findCurrentMembership(tx, accountId)
    if (current && current.stripeSubscriptionId === null && current.endedAt === null && current.kind === 'RECURRING') {
      const { id, levelKey, endsAt, cancelAtPeriodEnd } = current
      await attachSubscription(tx, id, subscription, now)
      return { membershipId: id, before: { was: 'changed', levelKey, endsAt, cancelAtPeriodEnd } }
    }
    if (current) await retireMembership(tx, current.id, now)
    const id = newId(now)
    const { stripeSubscriptionId, subscriptionImportedAt: _at, renewalAmount: _amount, ...columns } = subscription
    await insertCurrentMembership(
      tx,
      {
        ...columns,
        id,
        accountId,
        kind: 'RECURRING',
        // A new membership never overlaps an earlier one.
        startedAt: current ? now : startedAt,
        stripeSubscriptionId,
        gaveUpAt: null,
        endedAt: null,
      },
      now,
    )
    await attachSubscription(tx, id, subscription, now)
    return { membershipId: id, before: current && { was: 'replaced', id: current.id, endedAt: current.endedAt } }
  }

  /** Records what was paid before as history, unless an import of past payments did: no receipt is emailed. */
  async function recordHistory(
    tx: Tx,
    row: WantedSubscription & { importId: string },
    { paid, currency }: { paid: readonly InvoiceSnapshot[]; currency: string },
  ): Promise<void> {
    const { accountId, levelKey, importId } = row
    const now = clock.now()
    for (const invoice of paid) {
      const { id: reference, amountPaid: amount, paidAt, paymentIntentId, periodEndsAt } = invoice
      // Other systems may write the day of another time zone.
      const day = dayOf(paidAt, timeZone)
      const from = startOfDay(addDays(day, -1), timeZone)
      const to = startOfDay(addDays(day, 2), timeZone)
      const same = { accountId, references: [], providerId: paymentIntentId ?? reference, amount, from, to }
      if (invoice.currency !== currency || (await hasSamePayment(tx, same))) continue
      const id = newId(now)
      const isNew = await recordPayment(
        tx,
        {
          id,
          accountId,
          checkoutId: null,
          paymentIntentId,
          // Its first payment, too, started no membership here.
          purpose: 'renewal',
          levelKey,
          amount,
          currency,
          paidAt,
          activatedAt: paidAt,
          receiptSentAt: paidAt,
          reference,
          receiptNumber: receiptNumber(id, paidAt, yearOf),
          periodEndsAt,
        },
        now,
      )
      if (isNew) await saveImportedPayment(tx, importId, id)
    }
  }

  async function apply(
    tx: Tx,
    row: WantedSubscription & { importId: string; importedBy: string },
    { askedAt, snapshot, paid }: AtProvider,
    level: Level,
  ): Promise<void> {
    const now = clock.now()
    const { accountId, subscriptionId, customerId, levelKey, importId } = row
    const account = await findAccount(tx, accountId)
    const subscription: AttachedSubscription = {
      levelKey,
      stripeSubscriptionId: subscriptionId,
      stripeStatus: snapshot.status,
      endsAt: snapshot.periodEndsAt,
      cancelAtPeriodEnd: snapshot.cancelsAtPeriodEnd,
      renewalAmount: snapshot.renewalAmount,
      pastDueSince: snapshot.failedSince,
      nextAttemptAt: snapshot.nextAttemptAt,
      subscriptionImportedAt: askedAt,
    }
    const startedAt = Math.min(snapshot.startedAt, now)
    const { membershipId, before } = await attach(tx, { accountId, startedAt, subscription })
    if (account?.stripeCustomerId !== customerId) await setStripeCustomer(tx, accountId, customerId, now)
    await recordHistory(tx, row, { paid, currency: level.currency })
    await reminders.dropDue(tx, (await findCurrentMembership(tx, accountId)) as Membership)
    await markRowImported(tx, row, {
      membershipId,
      before: { customerId: account?.stripeCustomerId ?? null, membership: before },
      after: subscription,
      now,
    })
    const details = { batch: importId, subscription: subscriptionId, level: levelKey, endsAt: snapshot.periodEndsAt }
    const action = 'membership.subscription_imported' as const
    await writeAudit(tx, { actor: row.importedBy, action, subjectId: accountId, details }, now)
    // Webhook events that arrived since the provider was asked were ignored: the subscription was not known.
    await addToOutbox(tx, { effect: syncSubscription, payload: { subscriptionId } }, now)
  }

  async function importOne(key: { importId: string; subscriptionId: string }, attempts: number): Promise<void> {
    if (!(await findWaitingRow(db, key))) return
    let found: AtProvider | null = null
    let failure: string | null = null
    try {
      found = await readAtProvider(key.subscriptionId)
    } catch (error) {
      if (!(error instanceof PaymentProviderError) || attempts < TRIES) throw error
      failure = NO_ANSWER
    }
    await db.transaction().execute(async (tx) => {
      const waiting = await findWaitingRow(tx, key)
      if (!waiting) return
      await lockAccount(tx, waiting.accountId)
      // An undo, or another run of this effect, may have finished while this one waited for the lock.
      const row = await findWaitingRow(tx, key)
      if (!row) return
      const level = await findLevel(tx, row.levelKey)
      const reason = failure ?? (found ? await problemNow(tx, row, found, level) : CHANGED)
      if (reason !== null || !found || !level) {
        await markRow(tx, key, { state: 'refused', reason, now: clock.now() })
        return
      }
      await apply(tx, row, found, level)
    })
    wakeOutbox()
  }

  return { effects: { 'subscriptions.import': (key, { attempts }) => importOne(key, attempts) } }
}
