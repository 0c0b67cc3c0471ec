import { formatMoney } from '#contract/money.ts'
import type { Db, Tx } from '#server/db/database.ts'
import type { Alerts } from '#server/alerts/alerts.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { isComplimentaryTerm } from './complimentary.queries.ts'
import { findLevel } from '#server/features/levels/level.queries.ts'
import { endMembership, setMembershipEnd, findReplacedMembership, resumeMembership } from '../membership.repository.ts'
import { findCurrentMembership, type Membership } from '../membership.queries.ts'
import { hasLiveSubscription, hasRights, membershipStatus } from '../membership.rules.ts'
import { recordDroppedReminder } from '../reminders/reminder.repository.ts'
import { listCredits } from './payment-credit.queries.ts'
import { effectOfRefund, creditOwed, isResumable, type RefundEffect } from './refund.rules.ts'
import { listPayments, type PaymentRecord } from './payment.queries.ts'
import { endSubscription } from '../membership.effects.ts'

interface Refund {
  actor: string
  reason: string
  endedAt: number
  now: number
}

/** The effect of a refund on the current membership; read-only. `payments` must include the refund. */
export async function previewRefund(
  db: Db,
  membership: Membership,
  { id, payments, now }: { id: string; payments: readonly PaymentRecord[]; now: number },
): Promise<RefundEffect> {
  if (membership.endedAt !== null) return 'untouched'
  const term = { ...membership, isGranted: await isComplimentaryTerm(db, membership) }
  const level = await findLevel(db, membership.levelKey)
  return effectOfRefund(term, { returned: id, payments, level, now })
}

/**
 * Revokes the part of the current membership that a refunded or voided payment paid for: the membership ends, with its subscription, or ends sooner. Call in a
 * transaction that holds the account's lock, after the refund was stored.
 */
export async function revokeTerm(tx: Tx, { id, accountId }: PaymentRecord, wanted: Refund): Promise<RefundEffect> {
  const membership = await findCurrentMembership(tx, accountId)
  if (!membership) return 'untouched'
  const payments = await listPayments(tx, accountId)
  const effect = await previewRefund(tx, membership, { id, payments, now: wanted.now })
  if (effect === 'over') await end(tx, membership, wanted)
  else if (effect !== 'untouched') await shorten(tx, membership, effect.endsAt, wanted)
  return effect
}

/** Ends the current membership at once, because an officer decided it with a refund of a part. No-op without one. */
export async function endByOfficer(tx: Tx, accountId: string, wanted: Refund): Promise<void> {
  const membership = await findCurrentMembership(tx, accountId)
  if (membership && membership.endedAt === null) await end(tx, membership, wanted)
}

/**
 * Resumes the membership that a voided payment had replaced, unless its term has ended. A former subscription resumes as a manually renewed term, since it was
 * canceled at the provider. True when a membership resumes.
 */
export async function resumeReplacedMembership(
  tx: Tx,
  ended: Membership,
  { actor, reason, now, graceMs }: Omit<Refund, 'endedAt'> & { graceMs: number },
): Promise<boolean> {
  const replaced = await findReplacedMembership(tx, ended)
  if (!replaced || !isResumable(replaced, await listPayments(tx, replaced.accountId), now)) return false
  const snapshot = { ...replaced, stripeStatus: null, cancelAtPeriodEnd: false, endedAt: null }
  if (!hasRights(membershipStatus(snapshot, now, graceMs))) return false
  await resumeMembership(tx, { ended: ended.id, resumed: replaced.id }, now)
  const { levelKey: level, endsAt, accountId } = replaced
  const details = { level, endsAt, reason }
  await writeAudit(tx, { actor, action: 'membership.resumed', subjectId: accountId, details }, now)
  return true
}

/** Alerts the officers when a refund exceeds the part of a payment that was not credited. */
export async function alertOwedCredit(
  tx: Tx,
  alerts: Alerts,
  before: PaymentRecord,
  after: PaymentRecord,
): Promise<void> {
  const owed = creditOwed(after)
  if (owed <= creditOwed(before)) return
  const { receiptNumber: receipt, currency } = after
  const credits = (await listCredits(tx, after.accountId)).filter(({ paymentId }) => paymentId === after.id)
  const details = { receipt, 'credited to': credits.map(({ to }) => to).join(', '), owed: formatMoney(owed, currency) }
  await alerts.raise('credit-owed', details, tx)
}

async function end(tx: Tx, membership: Membership, { actor, reason, endedAt, now }: Refund): Promise<void> {
  await endMembership(tx, membership.id, { endedAt, now })
  const { accountId, stripeSubscriptionId: subscriptionId } = membership
  // The email about the payment covers this.
  await recordDroppedReminder(tx, { accountId, membershipId: membership.id, kind: 'canceled', aboutAt: endedAt }, now)
  await writeAudit(tx, { actor, action: 'membership.ended', subjectId: accountId, details: { reason } }, now)
  if (subscriptionId && hasLiveSubscription(membership)) {
    const payload = { subscriptionId }
    await addToOutbox(tx, { effect: endSubscription, payload, dedupeKey: `end:${subscriptionId}` }, now)
  }
}

async function shorten(tx: Tx, membership: Membership, endsAt: number, { actor, reason, now }: Refund): Promise<void> {
  await setMembershipEnd(tx, membership.id, { endsAt, now })
  const details = { level: membership.levelKey, endsAt, before: membership.endsAt, reason }
  await writeAudit(tx, { actor, action: 'membership.shortened', subjectId: membership.accountId, details }, now)
}
