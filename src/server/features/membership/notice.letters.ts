import type { Association } from '#contract/association.ts'
import { formatLongDate } from '#contract/dates.ts'
import type { Db } from '#server/db/database.ts'
import type { OutgoingLetter } from '#server/mail/letter.ts'
import type { PaymentGateway, SubscriptionFacts } from '#server/payments/payment-gateway.ts'
import type { Clock } from '#server/platform/clock.ts'
import { findAccount } from '../account/account.repository.ts'
import { findLevel, type Level } from './level.repository.ts'
import { findCurrentMembership, type Membership } from './membership.repository.ts'
import { isPaidTooLate, pastDueEndsAt, rightsEndAt } from './membership.rules.ts'
import { cardWords, noticeLetter, type NoticeWords } from './notice.emails.ts'
import { findNotice, markNoticeDropped, markNoticeSent, type MembershipNotice } from './notice.repository.ts'
import { daysBetween, isStillTrue } from './notice.rules.ts'
import { isWhollyReturned } from './payment-return.rules.ts'
import { listPayments, type PaymentRecord } from './payment.repository.ts'
import type { SubscriptionService } from './subscription.service.ts'

/** Composes notices from the live state at the moment of sending, and keeps the proof that they were sent. */
export function createNoticeLetters({
  db,
  clock,
  gateway,
  siteUrl,
  timeZone,
  graceMs,
  association,
  subscriptions,
}: {
  db: Db
  clock: Clock
  gateway: PaymentGateway
  siteUrl: string
  timeZone: string
  graceMs(): number
  association(): Promise<Association>
  subscriptions: SubscriptionService
}): Record<string, (payload: Record<string, unknown>) => Promise<OutgoingLetter | null>> {
  const places = { accountUrl: `${siteUrl}/auth/account`, plansUrl: `${siteUrl}/become-a-member` }
  const day = (instant: number | null) => (instant === null ? null : formatLongDate(instant, timeZone))

  /** The charge a notice names: announced ones as the provider would make them now. */
  async function amountOf(
    notice: MembershipNotice,
    membership: Membership,
    { level, facts }: { level: Level; facts: SubscriptionFacts | null },
  ): Promise<Pick<NoticeWords, 'amount' | 'left'>> {
    const { kind, aboutAt } = notice
    const price = { minorUnits: level.unitAmount, currency: level.currency }
    const left = 'goes on'
    if (facts?.owed) return { amount: { minorUnits: facts.owed.amount, currency: facts.owed.currency }, left }
    if (kind.startsWith('renewal') && membership.stripeSubscriptionId) {
      const upcoming = await gateway.readUpcomingCharge(membership.stripeSubscriptionId)
      return { amount: upcoming ? { minorUnits: upcoming.amount, currency: upcoming.currency } : price, left }
    }
    if (kind === 'refunded' || kind.startsWith('dispute')) {
      const payments = await listPayments(db, notice.accountId)
      const payment = payments.find(({ refundedAt, paidAt }) => (kind === 'refunded' ? refundedAt : paidAt) === aboutAt)
      if (!payment) return { amount: null, left }
      const { amount, amountRefunded, currency } = payment
      return {
        amount: { minorUnits: kind === 'refunded' ? amountRefunded : amount, currency },
        left: leftAfter(payment, membership, { now: clock.now(), graceMs: graceMs() }),
      }
    }
    return { amount: price, left }
  }

  async function wordsFor(
    notice: MembershipNotice,
    { membership, level, firstName }: { membership: Membership; level: Level; firstName: string },
    facts: SubscriptionFacts | null,
  ): Promise<NoticeWords> {
    const endsAt = pastDueEndsAt(membership, graceMs()) ?? rightsEndAt(membership, graceMs()) ?? membership.endsAt
    const isPastDue = notice.kind.startsWith('past_due')
    const card = facts?.card ?? null
    return {
      firstName,
      levelName: level.name,
      aboutDay: day(notice.aboutAt) ?? '',
      daysLeft: daysBetween(clock.now(), (isPastDue ? endsAt : notice.aboutAt) ?? clock.now(), timeZone),
      endsDay: day(endsAt),
      ...(await amountOf(notice, membership, { level, facts })),
      card,
      // Cards are valid to the end of the month printed on them.
      cardExpires: card !== null && Date.UTC(card.expiresYear, card.expiresMonth, 1) <= notice.aboutAt,
      nextAttemptDay: day(membership.nextAttemptAt),
    }
  }

  /** Reads the subscription again first: what was queued hours ago may be settled by now. */
  async function readLive(notice: MembershipNotice) {
    const before = await findCurrentMembership(db, notice.accountId)
    const subscriptionId = before?.stripeSubscriptionId
    if (subscriptionId) await subscriptions.sync(subscriptionId)
    const membership = await findCurrentMembership(db, notice.accountId)
    if (membership?.id !== notice.membershipId) return null
    if (!isStillTrue(notice, membership, { now: clock.now(), graceMs: graceMs() })) return null
    return { membership, facts: subscriptionId ? await gateway.readSubscription(subscriptionId) : null }
  }

  return {
    async 'letter.membership_notice'({ noticeId }) {
      const notice = await findNotice(db, String(noticeId))
      const account = notice && (await findAccount(db, notice.accountId))
      if (!notice || notice.state !== 'queued') return null
      const live = account && account.deactivatedBy === null ? await readLive(notice) : null
      const level = live && (await findLevel(db, live.membership.levelKey))
      if (!account || !live || !level) {
        await markNoticeDropped(db, notice.id, clock.now())
        return null
      }
      const person = { membership: live.membership, level, firstName: account.firstName }
      const words = await wordsFor(notice, person, live.facts)
      return {
        ...noticeLetter(notice.kind, words, places, await association()),
        to: account.email,
        onSent: (messageId) =>
          markNoticeSent(db, notice.id, { at: clock.now(), messageId, sentTo: account.email, told: toldBy(words) }),
      }
    },
  }
}

function leftAfter(
  payment: PaymentRecord,
  membership: Membership,
  { now, graceMs }: { now: number; graceMs: number },
): NoticeWords['left'] {
  if (!isWhollyReturned(payment)) return 'goes on'
  if (isPaidTooLate(payment.paidAt, membership, { stoppedAt: null, now, graceMs })) return 'had ended before'
  const { startedAt, endsAt, stripeStatus, endedAt } = membership
  if (endedAt !== null) return 'has ended'
  const isTakenBack = payment.purpose === 'renewal' && payment.recordedAt >= startedAt && stripeStatus === null
  const { periodEndsAt } = payment
  return isTakenBack && periodEndsAt !== null && endsAt !== null && periodEndsAt > endsAt ? 'ends sooner' : 'goes on'
}

/** What the letter named, kept with the proof of sending. */
function toldBy({ levelName, aboutDay, endsDay, amount, card }: NoticeWords): Record<string, string> {
  return {
    level: levelName,
    about: aboutDay,
    ...(endsDay && { ends: endsDay }),
    ...(amount && { amount: `${amount.minorUnits} ${amount.currency}` }),
    ...(card && { card: cardWords(card) }),
  }
}
