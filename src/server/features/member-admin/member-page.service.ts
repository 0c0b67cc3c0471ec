import type { AppContext } from '#server/app-context.ts'
import type { Subscription } from '#contract/public/account.ts'
import type { ConsoleMember, MemberEmail, MemberPaymentRecord } from '#contract/console/member.ts'
import type { Officer } from '#server/http/serve.ts'
import { Problem } from '#server/lib/problem.ts'
import { listEmailsAbout, type EffectRecord } from '#server/jobs/outbox-records.repository.ts'
import { findEmailSubjectIds } from '#server/features/accounts/email-subjects.queries.ts'
import { findAccount, type Account } from '#server/features/accounts/account.queries.ts'
import { listConsents } from '#server/features/accounts/consent.queries.ts'
import { listActiveSessions } from '#server/features/auth/sessions/session.queries.ts'
import type { AuditService } from '#server/features/audit/audit.service.ts'
import { findSubscriberByEmail } from '#server/features/newsletter/subscribers/subscriber.queries.ts'
import { membershipVersion } from '#server/features/memberships/payments/manual-payment.rules.ts'
import { describeManualPayment } from '#server/features/orders/payments/manual-payment.rules.ts'
import { listCredentials, toAnswers } from '#server/features/credentials/credential.queries.ts'
import { reminderName } from './reminder-names.rules.ts'
import { listLevels } from '#server/features/levels/level.queries.ts'
import { ALL_MEMBERS } from './member-list.queries.ts'
import { findMemberRows } from './member-list.repository.ts'
import { findCurrentMembership, type Membership } from '#server/features/memberships/membership.queries.ts'
import { hasLiveSubscription, hasRights, membershipStatus } from '#server/features/memberships/membership.rules.ts'
import { listReminders, type MembershipReminder } from '#server/features/memberships/reminders/reminder.queries.ts'
import { isManualRenewal } from '#server/features/memberships/membership-price.rules.ts'
import { listCredits } from '#server/features/memberships/payments/payment-credit.queries.ts'
import { creditOwed, refundOption } from '#server/features/memberships/payments/refund.rules.ts'
import { listPayments, type PaymentRecord } from '#server/features/memberships/payments/payment.queries.ts'

import { previewRefund } from '#server/features/memberships/payments/refunded-term.commands.ts'

const DAY_MS = 86_400_000

export function createMemberPageService(
  { db, clock, graceMs, settings }: AppContext,
  {
    audit,
    subscriptionOf: findSubscription,
    isOfficer,
    mergesOf: listMerges,
    accountOf: describeAccount,
    emailNames,
  }: {
    /** What officers read for each kind of email. */
    emailNames: ReadonlyMap<string, string>
    audit: AuditService
    subscriptionOf(accountId: string): Promise<Subscription | null>
    isOfficer(accountId: string): Promise<boolean>
    mergesOf(accountId: string): Promise<ConsoleMember['merges']>
    accountOf(by: Officer, account: Account): Promise<Partial<ConsoleMember>>
  },
) {
  const iso = (instant: number) => new Date(instant).toISOString()
  const isoOrNull = (instant: number | null) => (instant === null ? null : iso(instant))

  async function recordsOf(
    accountId: string,
    { payments, levels, now }: { payments: readonly PaymentRecord[]; levels: ReadonlyMap<string, string>; now: number },
  ): Promise<MemberPaymentRecord[]> {
    const membership = await findCurrentMembership(db, accountId)
    const credits = await listCredits(db, accountId)
    const receipts = new Map(payments.map(({ id, receiptNumber }) => [id, receiptNumber]))
    return Promise.all(
      payments.map(async (payment): Promise<MemberPaymentRecord> => {
        // Preview the term as if this payment were voided.
        const without = payments.map((one) => (one.id === payment.id ? { ...one, voidedAt: one.voidedAt ?? now } : one))
        const left = membership && (await previewRefund(db, membership, { id: payment.id, payments: without, now }))
        const replacement = payments.find(({ replacesId }) => replacesId === payment.id)
        return {
          ...toRecord(payment, levels),
          ifReturned: left === 'over' ? 'ends' : left && left !== 'untouched' ? { endsAt: iso(left.endsAt) } : 'stays',
          credits: credits
            .filter(({ paymentId }) => paymentId === payment.id)
            .map(({ amount, to }) => ({ amount, receiptNumber: to })),
          creditsUsed: credits
            .filter(({ toPaymentId }) => toPaymentId === payment.id)
            .map(({ amount, from }) => ({ amount, receiptNumber: from })),
          replaces: payment.replacesId === null ? null : (receipts.get(payment.replacesId) ?? null),
          replacedBy: replacement?.receiptNumber ?? null,
        }
      }),
    )
  }

  function toRecord(
    payment: PaymentRecord,
    levels: ReadonlyMap<string, string>,
  ): Omit<MemberPaymentRecord, 'ifReturned' | 'credits' | 'creditsUsed' | 'replaces' | 'replacedBy'> {
    const { id, receiptNumber, purpose, levelKey, amount, currency, amountRefunded, dispute } = payment
    return {
      id,
      receiptNumber,
      purpose,
      amount,
      currency,
      amountRefunded,
      dispute,
      levelKey,
      levelName: levels.get(levelKey) ?? levelKey,
      paidAt: iso(payment.paidAt),
      periodEndsAt: isoOrNull(payment.periodEndsAt),
      receiptSentAt: isoOrNull(payment.receiptSentAt),
      byHand: describeManualPayment(payment.reference),
      coupon: payment.couponCode === null ? undefined : { amount: payment.discount, code: payment.couponCode },
      refund: refundOption(payment),
      creditOwed: creditOwed(payment),
      voided: payment.voidedAt === null ? null : { at: iso(payment.voidedAt), reason: payment.voidReason ?? '' },
    }
  }

  async function credentialsOf(accountId: string): Promise<ConsoleMember['credentials']> {
    const given = await listCredentials(db, accountId)
    return Promise.all(
      given.map(async (credential) => {
        const { id, givenAt, status, decidedAt, decidedBy, evidence } = credential
        const officer = decidedBy === null ? null : await findAccount(db, decidedBy)
        return {
          id,
          ...toAnswers(credential),
          status,
          evidence,
          givenAt: iso(givenAt),
          decidedAt: isoOrNull(decidedAt),
          decidedBy: officer ? `${officer.firstName} ${officer.lastName}` : decidedBy,
        }
      }),
    )
  }

  return {
    /** Everything about one member that this officer may see. @throws Problem NOT_FOUND */
    async describe(by: Officer, accountId: string): Promise<ConsoleMember> {
      const account = await findAccount(db, accountId)
      const moment = { now: clock.now(), graceMs: graceMs() }
      const [row] = await findMemberRows(
        db,
        { ...ALL_MEMBERS, ids: [accountId] },
        { ...moment, order: 'name', descending: false, limit: 1 },
      )
      if (!account || !row) throw new Problem('NOT_FOUND')
      const [
        membership,
        subscription,
        payments,
        reminders,
        consents,
        credentials,
        sessions,
        subscriber,
        levels,
        history,
      ] = await Promise.all([
        findCurrentMembership(db, accountId),
        findSubscription(accountId),
        listPayments(db, accountId),
        listReminders(db, accountId),
        listConsents(db, accountId),
        credentialsOf(accountId),
        listActiveSessions(db, accountId, clock.now() - settings().session.days * DAY_MS),
        findSubscriberByEmail(db, account.email),
        listLevels(db),
        by.permissions.includes('audit.look') ? audit.listForSubject(accountId) : [],
      ])
      const emails = await listEmailsAbout(db, await findEmailSubjectIds(db, account.email, [accountId]))
      const names = new Map(levels.map(({ key, name }) => [key, name]))
      const mayChange = by.permissions.includes('members.change')
      return {
        id: account.id,
        email: account.email,
        username: account.username,
        name: { first: account.firstName, last: account.lastName },
        joinedAt: iso(account.createdAt),
        state: row.state,
        subscription,
        ...(row.complimentary !== null && { complimentary: row.complimentary }),
        endsAt: isoOrNull(row.endsAt),
        movesTermOf: membership && movesTerm(membership, moment) ? membership.levelKey : null,
        hasSubscription: membership !== null && hasLiveSubscription(membership),
        version: membershipVersion(membership),
        payments: by.permissions.includes('money.look')
          ? await recordsOf(accountId, { payments, levels: names, now: moment.now })
          : null,
        letters: toEmails(emails, reminders, emailNames),
        consents: consents.map(({ kind, version, givenAt }) => ({ kind, version, givenAt: iso(givenAt) })),
        newsletter: subscriber && {
          state: subscriber.state,
          source: subscriber.source,
          since: iso(subscriber.leftAt ?? subscriber.confirmedAt ?? subscriber.askedAt),
        },
        credentials,
        devices: sessions.length,
        merges: await listMerges(accountId),
        ...(await describeAccount(by, account)),
        history,
        levels: levels.map(({ key, name, isRecurring, unitAmount }) => ({
          key,
          name,
          unitAmount,
          isLifetime: !isRecurring,
        })),
        mayChange,
        mayViewAs:
          by.permissions.includes('members.view_as') && account.deactivatedBy === null && !(await isOfficer(accountId)),
        mayDecide: by.permissions.includes('credentials.decide'),
        mayChangeMoney: by.permissions.includes('money.change'),
      }
    },
  }
}

export type MemberPageService = ReturnType<typeof createMemberPageService>

/** Whether granting the same level would extend the current term; mirrors `createManualPayments`. */
function movesTerm(membership: Membership, { now, graceMs }: { now: number; graceMs: number }): boolean {
  return (
    hasRights(membershipStatus(membership, now, graceMs)) && isManualRenewal(membership, { key: membership.levelKey })
  )
}

const EMAILS_SHOWN = 50
const EMAIL_STATES = { done: 'sent', 'given up': 'failed', waiting: 'waiting' } as const

/** Newest first: emails still in the outbox, and reminders, whose proof of sending outlives it. */
function toEmails(
  queued: readonly EffectRecord[],
  reminders: readonly MembershipReminder[],
  emailNames: ReadonlyMap<string, string>,
): MemberEmail[] {
  const queuedEmails = queued.slice(0, EMAILS_SHOWN).map(({ id, kind, state, at, error }): [number, MemberEmail] => [
    at,
    {
      id,
      what: emailNames.get(kind) ?? reminderName(kind),
      at: new Date(at).toISOString(),
      state: EMAIL_STATES[state],
      detail: error,
      maySendAgain: state === 'given up',
    },
  ])
  const sentReminders = reminders.map(({ kind, state, sentTo, queuedAt, closedAt }): [number, MemberEmail] => [
    closedAt ?? queuedAt,
    {
      id: null,
      what: reminderName(kind),
      at: new Date(closedAt ?? queuedAt).toISOString(),
      state: state === 'queued' ? 'waiting' : state,
      detail: sentTo,
      maySendAgain: false,
    },
  ])
  return [...queuedEmails, ...sentReminders].sort(([a], [b]) => b - a).map(([, email]) => email)
}
