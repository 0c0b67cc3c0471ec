import type { Kysely } from 'kysely'
import type { Schema } from '#server/db/schema.ts'
import {
  PaymentProviderError,
  type CheckoutFacts,
  type PaidCheckout,
  type PaymentGateway,
} from '#server/payments/payment-gateway.ts'
import type { Alarms } from '#server/platform/alarms.ts'
import { isAudited, writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Log } from '#server/platform/logger.ts'
import { findRsvpOrder } from '../events/rsvp-order.repository.ts'
import { findSponsorship } from '../sponsors/sponsorship.repository.ts'
import { findCheckout } from './checkout.repository.ts'

export interface PaidOrders {
  /** Orders that were closed here and paid all the same, and are settled now. */
  settled: string[]
  /** Payments nobody here can be given, whether or not the officers were told before. */
  unknown: PaidCheckout[]
}

interface Tools {
  db: Kysely<Schema>
  clock: Clock
  log: Log
  gateway: PaymentGateway
  alarms: Alarms
}

const REPORTED = 'payment.unknown'
const NAMED_IN_A_LETTER = 20
const GIVEN_UP: ReadonlySet<string> = new Set(['expired', 'failed'])
const SETTLED: ReadonlySet<string> = new Set(['completed', 'refunded', 'paid'])

/**
 * Compares what was paid at the provider with our orders. An order that was closed here, since nobody heard of its payment, is settled: no other
 * job looks at it. What was paid for an order the database does not hold is `unknown`. What was given back whole needs nobody any more.
 * @param span.quietSince payments after this instant are left to their notices
 */
export async function searchPaidOrders(
  { db, log, gateway }: Tools,
  settlements: readonly { settleFrom(facts: CheckoutFacts): Promise<string> }[],
  { since, quietSince }: { since: number; quietSince: number },
): Promise<PaidOrders> {
  async function stateOf(id: string): Promise<string | null> {
    const order = (await findCheckout(db, id)) ?? (await findSponsorship(db, id)) ?? (await findRsvpOrder(db, id))
    return order?.state ?? null
  }

  async function settle(facts: CheckoutFacts): Promise<boolean> {
    for (const { settleFrom } of settlements) {
      const outcome = await settleFrom(facts)
      if (outcome !== 'foreign') return SETTLED.has(outcome)
    }
    return false
  }

  const found: PaidOrders = { settled: [], unknown: [] }
  for await (const paid of gateway.listPaidCheckouts(since)) {
    const state = await stateOf(paid.checkoutId)
    if (state !== null && !GIVEN_UP.has(state)) continue
    const facts = await readKept(gateway, paid)
    if (!facts) continue
    if (state === null) found.unknown.push(paid)
    else if ((facts.paidAt ?? 0) <= quietSince) {
      try {
        if (await settle(facts)) found.settled.push(paid.checkoutId)
      } catch (error) {
        if (error instanceof PaymentProviderError) throw error
        log.warn({ order: paid.checkoutId, reason: String((error as Error).message) }, 'could not be settled')
        found.unknown.push(paid)
      }
    }
  }
  return found
}

/** What is paid there and not given back whole; null when there is nothing of it. */
async function readKept(gateway: PaymentGateway, { sessionId }: PaidCheckout): Promise<CheckoutFacts | null> {
  const facts = await gateway.readCheckout(sessionId)
  if (!facts?.isPaid) return null
  const payment = facts.paymentIntentId && (await gateway.readPayment(facts.paymentIntentId))
  return !payment || payment.amountRefunded < payment.amount ? facts : null
}

/** Tells the officers of payments nobody here can be given, once for each: who paid is known to the provider alone. */
export async function reportUnknownPayments(
  { db, clock, log, alarms }: Tools,
  unknown: readonly PaidCheckout[],
): Promise<void> {
  const news: PaidCheckout[] = []
  for (const paid of unknown) {
    if (!(await isAudited(db, { action: REPORTED, subjectId: paid.sessionId }))) news.push(paid)
  }
  if (news.length === 0) return
  const now = clock.now()
  for (const { sessionId: session, customerId: customer, subscriptionId: subscription } of news)
    log.warn({ session, customer, subscription }, 'paid, and not known here')
  await db.transaction().execute(async (tx) => {
    for (const { sessionId } of news)
      await writeAudit(tx, { actor: 'system', action: REPORTED, subjectId: sessionId }, now)
    for (let start = 0; start < news.length; start += NAMED_IN_A_LETTER) {
      const named = news.slice(start, start + NAMED_IN_A_LETTER)
      const checkouts = named.map(({ sessionId, customerId }) => `${sessionId} (${customerId ?? 'no customer'})`)
      await alarms.raise('unknown-payment', { payments: named.length, checkouts: checkouts.join(', ') }, tx)
    }
  })
}
