import type { Kysely } from 'kysely'
import type { Schema } from '#server/db/schema.ts'
import type { PaidCheckout, PaymentGateway } from '#server/payments/payment-gateway.ts'
import type { Alarms } from '#server/platform/alarms.ts'
import { isAudited, writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Log } from '#server/platform/logger.ts'
import { findRsvpOrder } from '../events/rsvp-order.repository.ts'
import { findSponsorship } from '../sponsors/sponsorship.repository.ts'
import { findCheckout } from './checkout.repository.ts'

const REPORTED = 'payment.unknown'
/** In one letter; the log names all. */
const MOST_NAMED = 20

/**
 * Looks for what was paid for orders of ours that the database does not hold: after the restore of a backup, what was ordered since. Who paid is known to
 * the provider alone, so the officers are told, once for each. What was given back whole needs nobody any more. Answers how many there are.
 */
export async function reportUnknownPayments(
  {
    db,
    clock,
    log,
    gateway,
    alarms,
  }: {
    db: Kysely<Schema>
    clock: Clock
    log: Log
    gateway: PaymentGateway
    alarms: Alarms
  },
  since: number,
): Promise<number> {
  async function isUnknown({ sessionId, checkoutId }: PaidCheckout): Promise<boolean> {
    if ((await findCheckout(db, checkoutId)) || (await findSponsorship(db, checkoutId))) return false
    if (await findRsvpOrder(db, checkoutId)) return false
    const facts = await gateway.readCheckout(sessionId)
    if (!facts?.isPaid) return false
    const payment = facts.paymentIntentId && (await gateway.readPayment(facts.paymentIntentId))
    return !payment || payment.amountRefunded < payment.amount
  }

  let count = 0
  const news: PaidCheckout[] = []
  for await (const paid of gateway.listPaidCheckouts(since)) {
    if (!(await isUnknown(paid))) continue
    count++
    if (!(await isAudited(db, { action: REPORTED, subjectId: paid.sessionId }))) news.push(paid)
  }
  if (news.length === 0) return count
  const now = clock.now()
  for (const { sessionId: session, customerId: customer, subscriptionId: subscription } of news)
    log.warn({ session, customer, subscription }, 'paid, and not known here')
  await db.transaction().execute(async (tx) => {
    for (const { sessionId } of news)
      await writeAudit(tx, { actor: 'system', action: REPORTED, subjectId: sessionId }, now)
    const named = news
      .slice(0, MOST_NAMED)
      .map(({ sessionId, customerId }) => `${sessionId} (${customerId ?? 'no customer'})`)
    await alarms.raise('unknown-payment', { payments: news.length, checkouts: named.join(', ') }, tx)
  })
  return count
}
