import type { AppContext } from '#server/app-context.ts'
import { z } from 'zod'
import { reminderSamples } from './reminder-samples.emails.ts'
import { defineEmail } from '#server/emails/define-email.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import type { SubscriptionSnapshot } from '#server/stripe/payment-gateway.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import { findLevel, type Level } from '#server/features/levels/level.queries.ts'
import { findCurrentMembership, type Membership } from '../membership.queries.ts'
import { isPaidAfterEnd, pastDueEndsAt, rightsEndAt } from '../membership.rules.ts'
import { describeCard, reminderEmail, type ReminderValues } from './reminder-text.emails.ts'
import { findReminder, markReminderDropped, markReminderSent } from './reminder.repository.ts'
import { type MembershipReminder } from './reminder.queries.ts'
import { daysBetween, stillApplies } from './reminder.rules.ts'
import { isFullyRefunded } from '#server/features/orders/payments/refunded-amount.rules.ts'
import { listPayments, type PaymentRecord } from '../payments/payment.queries.ts'
import type { SubscriptionService } from '../subscription.service.ts'

type Tools = AppContext & {
  subscriptions: SubscriptionService
}

/** The amount a reminder names: for upcoming charges, what the provider would charge now. */
async function amountOf(
  reminder: MembershipReminder,
  membership: Membership,
  { level, snapshot }: { level: Level; snapshot: SubscriptionSnapshot | null },
  { db, clock, gateway, graceMs }: Tools,
): Promise<Pick<ReminderValues, 'amount' | 'membershipOutcome'>> {
  const { kind, aboutAt } = reminder
  const price = { minorUnits: level.unitAmount, currency: level.currency }
  const left = 'goes on'
  if (snapshot?.amountDue)
    return {
      amount: { minorUnits: snapshot.amountDue.amount, currency: snapshot.amountDue.currency },
      membershipOutcome: left,
    }
  if (kind.startsWith('renewal') && membership.stripeSubscriptionId) {
    const upcoming = await gateway.readUpcomingCharge(membership.stripeSubscriptionId)
    return {
      amount: upcoming ? { minorUnits: upcoming.amount, currency: upcoming.currency } : price,
      membershipOutcome: left,
    }
  }
  if (kind === 'refunded' || kind.startsWith('dispute')) {
    const payments = await listPayments(db, reminder.accountId)
    const payment = payments.find(({ refundedAt, paidAt }) => (kind === 'refunded' ? refundedAt : paidAt) === aboutAt)
    if (!payment) return { amount: null, membershipOutcome: left }
    const { amount, amountRefunded, currency } = payment
    return {
      amount: { minorUnits: kind === 'refunded' ? amountRefunded : amount, currency },
      membershipOutcome: leftAfter(payment, membership, { now: clock.now(), graceMs: graceMs() }),
    }
  }
  return { amount: price, membershipOutcome: left }
}

async function valuesFor(
  reminder: MembershipReminder,
  { membership, level, firstName }: { membership: Membership; level: Level; firstName: string },
  snapshot: SubscriptionSnapshot | null,
  tools: Tools,
): Promise<ReminderValues> {
  const { clock, timeZone, graceMs } = tools
  const day = (instant: number | null) => (instant === null ? null : formatLongDate(instant, timeZone))
  const endsAt = pastDueEndsAt(membership, graceMs()) ?? rightsEndAt(membership, graceMs()) ?? membership.endsAt
  const isPastDue = reminder.kind.startsWith('past_due')
  const card = snapshot?.card ?? null
  return {
    firstName,
    levelName: level.name,
    aboutDay: day(reminder.aboutAt) ?? '',
    daysLeft: daysBetween(clock.now(), (isPastDue ? endsAt : reminder.aboutAt) ?? clock.now(), timeZone),
    endsDay: day(endsAt),
    ...(await amountOf(reminder, membership, { level, snapshot }, tools)),
    card,
    // Cards are valid through the printed month.
    cardExpires: card !== null && Date.UTC(card.expiresYear, card.expiresMonth, 1) <= reminder.aboutAt,
    nextAttemptDay: day(membership.nextAttemptAt),
  }
}

/** Syncs the subscription first: a reminder queued hours ago may be outdated. */
async function readLive(reminder: MembershipReminder, { db, clock, gateway, graceMs, subscriptions }: Tools) {
  const before = await findCurrentMembership(db, reminder.accountId)
  const subscriptionId = before?.stripeSubscriptionId
  if (subscriptionId) await subscriptions.sync(subscriptionId)
  const membership = await findCurrentMembership(db, reminder.accountId)
  if (membership?.id !== reminder.membershipId) return null
  if (!stillApplies(reminder, membership, { now: clock.now(), graceMs: graceMs() })) return null
  return { membership, facts: subscriptionId ? await gateway.readSubscription(subscriptionId) : null }
}

/** Composed from the state at the time of sending; proof of sending is recorded. */
export const sendMembershipReminder = defineEmail({
  kind: 'email.membership_reminder',
  name: 'Membership reminder',
  samples: reminderSamples,
  payload: z.object({ reminderId: z.string() }),
  subject: 'reminderId',
  priority: 'reminder',
  purpose: 'reminder',
  async compose({ reminderId }, tools: Tools) {
    const { db, clock, siteUrl, association } = tools
    const reminder = await findReminder(db, reminderId)
    const account = reminder && (await findAccount(db, reminder.accountId))
    if (!reminder || reminder.state !== 'queued') return null
    const live = account && account.deactivatedBy === null ? await readLive(reminder, tools) : null
    const level = live && (await findLevel(db, live.membership.levelKey))
    if (!account || !live || !level) {
      await markReminderDropped(db, reminder.id, clock.now())
      return null
    }
    const person = { membership: live.membership, level, firstName: account.firstName }
    const values = await valuesFor(reminder, person, live.facts, tools)
    const links = { accountUrl: `${siteUrl}/auth/account`, plansUrl: `${siteUrl}/become-a-member` }
    return {
      ...reminderEmail(reminder.kind, values, links, await association()),
      to: account.email,
      onSent: (messageId) =>
        markReminderSent(db, reminder.id, {
          at: clock.now(),
          messageId,
          sentTo: account.email,
          told: namedValues(values),
        }),
    }
  },
})

function leftAfter(
  payment: PaymentRecord,
  membership: Membership,
  { now, graceMs }: { now: number; graceMs: number },
): ReminderValues['membershipOutcome'] {
  if (!isFullyRefunded(payment)) return 'goes on'
  if (isPaidAfterEnd(payment.paidAt, membership, { stoppedAt: null, now, graceMs })) return 'had ended before'
  const { startedAt, endsAt, stripeStatus, endedAt } = membership
  if (endedAt !== null) return 'has ended'
  const isReverted = payment.purpose === 'renewal' && payment.recordedAt >= startedAt && stripeStatus === null
  const { periodEndsAt } = payment
  return isReverted && periodEndsAt !== null && endsAt !== null && periodEndsAt > endsAt ? 'ends sooner' : 'goes on'
}

/** The values the email named, stored with the proof of sending. */
function namedValues({ levelName, aboutDay, endsDay, amount, card }: ReminderValues): Record<string, string> {
  return {
    level: levelName,
    about: aboutDay,
    ...(endsDay && { ends: endsDay }),
    ...(amount && { amount: `${amount.minorUnits} ${amount.currency}` }),
    ...(card && { card: describeCard(card) }),
  }
}
