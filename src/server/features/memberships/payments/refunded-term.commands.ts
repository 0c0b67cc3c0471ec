import { formatMoney } from '#contract/money.ts'
import type { Db, Tx } from '#server/db/database.ts'
import type { Alarms } from '#server/platform/alarms.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import { addToOutbox } from '#server/platform/outbox.repository.ts'
import { isGrantedTerm } from './complimentary.repository.ts'
import { findLevel } from './level.repository.ts'
import {
  endMembership,
  extendMembership,
  findCurrentMembership,
  findReplacedMembership,
  resumeMembership,
  type Membership,
} from './membership.repository.ts'
import { hasLiveSubscription, hasRights, membershipStatus } from './membership.rules.ts'
import { withholdNotice } from './notice.repository.ts'
import { listCredits } from './payment-credit.repository.ts'
import { afterReturn, creditOwed, isResumable, type AfterReturn } from './payment-return.rules.ts'
import { listPayments, type PaymentRecord } from './payment.repository.ts'

interface Return {
  actor: string
  reason: string
  endedAt: number
  now: number
}

/** What a payment that came back leaves of the present membership; nothing is changed. `payments` as they are once it did. */
export async function termWithout(
  db: Db,
  membership: Membership,
  { id, payments, now }: { id: string; payments: readonly PaymentRecord[]; now: number },
): Promise<AfterReturn> {
  if (membership.endedAt !== null) return 'untouched'
  const term = { ...membership, isGranted: await isGrantedTerm(db, membership) }
  const level = await findLevel(db, membership.levelKey)
  return afterReturn(term, { returned: id, payments, level, now })
}

/**
 * Takes from the present membership what a payment paid for that came back whole or was canceled: it ends, with its subscription, or ends sooner. Call in a
 * transaction that holds the account's lock, once the payment says that it came back.
 */
export async function takeBackTerm(tx: Tx, { id, accountId }: PaymentRecord, wanted: Return): Promise<AfterReturn> {
  const membership = await findCurrentMembership(tx, accountId)
  if (!membership) return 'untouched'
  const payments = await listPayments(tx, accountId)
  const left = await termWithout(tx, membership, { id, payments, now: wanted.now })
  if (left === 'over') await end(tx, membership, wanted)
  else if (left !== 'untouched') await shorten(tx, membership, left.endsAt, wanted)
  return left
}

/**
 * Brings back the membership that a canceled payment had replaced, where its time is not over. What ran by a subscription goes on by hand: the subscription was
 * ended at the provider. True when one goes on.
 */
export async function resumeReplaced(
  tx: Tx,
  ended: Membership,
  { actor, reason, now, graceMs }: Omit<Return, 'endedAt'> & { graceMs: number },
): Promise<boolean> {
  const replaced = await findReplacedMembership(tx, ended)
  if (!replaced || !isResumable(replaced, await listPayments(tx, replaced.accountId), now)) return false
  const facts = { ...replaced, stripeStatus: null, cancelAtPeriodEnd: false, endedAt: null }
  if (!hasRights(membershipStatus(facts, now, graceMs))) return false
  await resumeMembership(tx, { ended: ended.id, resumed: replaced.id }, now)
  const { levelKey: level, endsAt, accountId } = replaced
  const details = { level, endsAt, reason }
  await writeAudit(tx, { actor, action: 'membership.resumed', subjectId: accountId, details }, now)
  return true
}

/** Tells the officers when more of a credited payment went back than was left of it. */
export async function tellOwedCredit(
  tx: Tx,
  alarms: Alarms,
  before: PaymentRecord,
  after: PaymentRecord,
): Promise<void> {
  const owed = creditOwed(after)
  if (owed <= creditOwed(before)) return
  const { receiptNumber: receipt, currency } = after
  const credits = (await listCredits(tx, after.accountId)).filter(({ paymentId }) => paymentId === after.id)
  const details = { receipt, 'credited to': credits.map(({ to }) => to).join(', '), owed: formatMoney(owed, currency) }
  await alarms.raise('credit-owed', details, tx)
}

async function end(tx: Tx, membership: Membership, { actor, reason, endedAt, now }: Return): Promise<void> {
  await endMembership(tx, membership.id, { endedAt, now })
  const { accountId, stripeSubscriptionId: subscriptionId } = membership
  // The email about the payment says it already.
  await withholdNotice(tx, { accountId, membershipId: membership.id, kind: 'canceled', aboutAt: endedAt }, now)
  await writeAudit(tx, { actor, action: 'membership.ended', subjectId: accountId, details: { reason } }, now)
  if (subscriptionId && hasLiveSubscription(membership)) {
    const payload = { subscriptionId }
    await addToOutbox(tx, { kind: 'payment.end_subscription', payload, dedupeKey: `end:${subscriptionId}` }, now)
  }
}

async function shorten(tx: Tx, membership: Membership, endsAt: number, { actor, reason, now }: Return): Promise<void> {
  await extendMembership(tx, membership.id, { endsAt, now })
  const details = { level: membership.levelKey, endsAt, before: membership.endsAt, reason }
  await writeAudit(tx, { actor, action: 'membership.shortened', subjectId: membership.accountId, details }, now)
}
