import type { Kysely } from 'kysely'
import type { Subscription } from '#contract/account.ts'
import type { ConsoleMember, MemberLetter, MemberPaymentRecord } from '#contract/console-member.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Officer } from '#server/http/serve.ts'
import type { Clock } from '#server/platform/clock.ts'
import { Problem } from '#server/platform/problem.ts'
import { listLettersAbout, type KeptEffect } from '#server/platform/outbox.repository.ts'
import { letterSubjects } from '../account/letter-subjects.repository.ts'
import { findAccount, type Account } from '../account/account.repository.ts'
import { listConsents } from '../account/consent.repository.ts'
import { listLiveSessions } from '../auth/session.repository.ts'
import type { AuditService } from '../audit/audit.service.ts'
import { findSubscriberByEmail } from '../newsletter/subscriber.repository.ts'
import { handWords, membershipVersion } from './by-hand.rules.ts'
import { listCredentials } from './credential.repository.ts'
import { letterName } from './letter-names.rules.ts'
import { listLevels } from './level.repository.ts'
import { EVERYBODY, findMemberRows } from './member-list.repository.ts'
import { findCurrentMembership, type Membership } from './membership.repository.ts'
import { hasLiveSubscription, hasRights, membershipStatus } from './membership.rules.ts'
import { listNotices, type MembershipNotice } from './notice.repository.ts'
import { renewsByHand } from './offer.rules.ts'
import { listCredits } from './payment-credit.repository.ts'
import { creditOwed, refundOf } from './payment-return.rules.ts'
import { listPayments, type PaymentRecord } from './payment.repository.ts'

import { termWithout } from './term-return.ts'

const DAY_MS = 86_400_000

export interface MemberPageService {
  /** Everything of one person that this officer may see. @throws Problem NOT_FOUND */
  describe(by: Officer, accountId: string): Promise<ConsoleMember>
}

export function createMemberPageService({
  db,
  clock,
  graceMs,
  audit,
  sessionDays,
  subscriptionOf,
  isOfficer,
  mergesOf,
  accountOf,
}: {
  db: Kysely<Schema>
  clock: Clock
  graceMs(): number
  audit: AuditService
  sessionDays(): number
  subscriptionOf(accountId: string): Promise<Subscription | null>
  isOfficer(accountId: string): Promise<boolean>
  mergesOf(accountId: string): Promise<ConsoleMember['merges']>
  accountOf(by: Officer, account: Account): Promise<Partial<ConsoleMember>>
}): MemberPageService {
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
        // As it would be with nothing of this payment left.
        const without = payments.map((one) => (one.id === payment.id ? { ...one, voidedAt: one.voidedAt ?? now } : one))
        const left = membership && (await termWithout(db, membership, { id: payment.id, payments: without, now }))
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
      byHand: handWords(payment.reference),
      coupon: payment.discount ?? undefined,
      refund: refundOf(payment),
      creditOwed: creditOwed(payment),
      voided: payment.voidedAt === null ? null : { at: iso(payment.voidedAt), reason: payment.voidReason ?? '' },
    }
  }

  async function credentialsOf(accountId: string): Promise<ConsoleMember['credentials']> {
    const given = await listCredentials(db, accountId)
    return Promise.all(
      given.map(
        async ({ id, kind, npi, licenceState, place, endsOn, givenAt, status, decidedAt, decidedBy, evidence }) => {
          const officer = decidedBy === null ? null : await findAccount(db, decidedBy)
          return {
            id,
            kind,
            npi,
            licenceState,
            place,
            endsOn,
            status,
            evidence,
            givenAt: iso(givenAt),
            decidedAt: isoOrNull(decidedAt),
            decidedBy: officer ? `${officer.firstName} ${officer.lastName}` : decidedBy,
          }
        },
      ),
    )
  }

  return {
    async describe(by, accountId) {
      const account = await findAccount(db, accountId)
      const moment = { now: clock.now(), graceMs: graceMs() }
      const [row] = await findMemberRows(
        db,
        { ...EVERYBODY, id: accountId },
        { ...moment, order: 'name', descending: false, limit: 1 },
      )
      if (!account || !row) throw new Problem('NOT_FOUND')
      const [
        membership,
        subscription,
        payments,
        notices,
        consents,
        credentials,
        sessions,
        subscriber,
        levels,
        history,
      ] = await Promise.all([
        findCurrentMembership(db, accountId),
        subscriptionOf(accountId),
        listPayments(db, accountId),
        listNotices(db, accountId),
        listConsents(db, accountId),
        credentialsOf(accountId),
        listLiveSessions(db, accountId, clock.now() - sessionDays() * DAY_MS),
        findSubscriberByEmail(db, account.email),
        listLevels(db),
        by.permissions.includes('audit.look') ? audit.about(accountId) : [],
      ])
      const letters = await listLettersAbout(db, await letterSubjects(db, account.email, [accountId]))
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
        letters: toLetters(letters, notices),
        consents: consents.map(({ kind, version, givenAt }) => ({ kind, version, givenAt: iso(givenAt) })),
        newsletter: subscriber && {
          state: subscriber.state,
          source: subscriber.source,
          since: iso(subscriber.leftAt ?? subscriber.confirmedAt ?? subscriber.askedAt),
        },
        credentials,
        devices: sessions.length,
        merges: await mergesOf(accountId),
        ...(await accountOf(by, account)),
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

/** As the settlement by hand decides whether a term of the same level goes on. */
function movesTerm(membership: Membership, { now, graceMs }: { now: number; graceMs: number }): boolean {
  return hasRights(membershipStatus(membership, now, graceMs)) && renewsByHand(membership, { key: membership.levelKey })
}

const LETTERS_SHOWN = 50
const LETTER_STATES = { done: 'sent', 'given up': 'failed', waiting: 'waiting' } as const

/** Newest first: the queue's letters, and the notices whose proof outlives the queue. */
function toLetters(queued: readonly KeptEffect[], notices: readonly MembershipNotice[]): MemberLetter[] {
  const ofQueue = queued.slice(0, LETTERS_SHOWN).map(({ id, kind, state, at, error }): [number, MemberLetter] => [
    at,
    {
      id,
      what: letterName(kind),
      at: new Date(at).toISOString(),
      state: LETTER_STATES[state],
      detail: error,
      maySendAgain: state === 'given up',
    },
  ])
  const ofNotices = notices.map(({ kind, state, sentTo, queuedAt, settledAt }): [number, MemberLetter] => [
    settledAt ?? queuedAt,
    {
      id: null,
      what: letterName(kind),
      at: new Date(settledAt ?? queuedAt).toISOString(),
      state: state === 'queued' ? 'waiting' : state,
      detail: sentTo,
      maySendAgain: false,
    },
  ])
  return [...ofQueue, ...ofNotices].sort(([a], [b]) => b - a).map(([, letter]) => letter)
}
