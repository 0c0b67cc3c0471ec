import type { Kysely } from 'kysely'
import type { Tx } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Alarms } from '#server/platform/alarms.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import { newId } from '#server/platform/ids.ts'
import { addToOutbox } from '#server/platform/outbox.repository.ts'
import { fieldProblem, Problem } from '#server/platform/problem.ts'
import { findAccount, lockAccount } from '../account/account.repository.ts'
import { findOpenCheckout } from './checkout.repository.ts'
import { insertComplimentaryTerm } from './complimentary.repository.ts'
import { findLevel, type Level } from './level.repository.ts'
import { extendTerm, startMembership, termEnd } from './membership-start.ts'
import { findCurrentMembership, type Membership } from './membership.repository.ts'
import { hasLiveSubscription, hasRights, membershipStatus } from './membership.rules.ts'
import { renewsByHand } from './offer.rules.ts'
import { createHandCorrections, type HandCorrections, type PaidByHand } from './hand-corrections.ts'
import { findPaymentByReference, receiptNumber, recordPayment, type Payment } from './payment.repository.ts'
import { membershipVersion, referenceByHand } from './by-hand.rules.ts'

/** Whose membership an officer acts on, and what it was when they looked. */
interface Target {
  accountId: string
  levelKey: string
  version: string
  /** The officer's account. */
  actor: string
}

/** What officers do about memberships without a card: the other half of the one door for money (decision record 7). */
export interface HandSettlements extends HandCorrections {
  /**
   * Records a cheque or cash with its receipt, and starts or renews the membership it pays for. What runs by hand goes on from its end; what ran by
   * card and was stopped too. The same reference of the same person is recorded once. A page at which they were about to pay by card is closed.
   * @throws Problem NOT_FOUND, ACCOUNT_CLOSED, CHANGED_MEANWHILE, RENEWS_BY_CARD, LIFETIME_MEMBERSHIP, INVALID_INPUT
   */
  payByHand(target: Target, paid: PaidByHand): Promise<void>
  /** Records what was paid for the term with which an account was just added, in that transaction. Wake the outbox after the commit. */
  recordFirst(
    tx: Tx,
    target: { accountId: string; actor: string; level: Level; endsAt: number | null },
    paid: PaidByHand,
  ): Promise<void>
  /**
   * Grants a level until an instant (null: for life), or moves the end of the one that runs. The term is complimentary, and kept with its reason.
   * @throws Problem NOT_FOUND, ACCOUNT_CLOSED, CHANGED_MEANWHILE, RENEWS_BY_CARD, LIFETIME_MEMBERSHIP, INVALID_INPUT
   */
  grant(target: Target, term: { endsAt: number | null; reason: string }): Promise<void>
}

export function createHandSettlements({
  db,
  clock,
  alarms,
  graceMs,
  yearOf,
  wakeOutbox,
}: {
  db: Kysely<Schema>
  clock: Clock
  alarms: Alarms
  graceMs(): number
  yearOf(instant: number): string
  wakeOutbox(): void
}): HandSettlements {
  /** What is held, once it is sure that an officer may set it. */
  async function open(
    tx: Tx,
    { accountId, levelKey, version }: Pick<Target, 'accountId' | 'levelKey'> & { version: string | null },
  ): Promise<Opened> {
    await lockAccount(tx, accountId)
    const account = await findAccount(tx, accountId)
    if (!account) throw new Problem('NOT_FOUND')
    if (account.deactivatedBy !== null) throw new Problem('ACCOUNT_CLOSED')
    const level = await findLevel(tx, levelKey)
    if (!level) throw fieldProblem('levelKey', 'Please choose a level')
    const current = await findCurrentMembership(tx, accountId)
    if (version !== null && membershipVersion(current) !== version) throw new Problem('CHANGED_MEANWHILE')
    if (current === null) return { level, current, isRunning: false }
    const status = membershipStatus(current, clock.now(), graceMs())
    const isRunning = hasRights(status)
    if (isRunning && current.kind === 'ONE_TIME') throw new Problem('LIFETIME_MEMBERSHIP')
    const isCharged = status === 'ACTIVE' && hasLiveSubscription(current) && !current.cancelAtPeriodEnd
    if (isCharged) throw new Problem('RENEWS_BY_CARD')
    return { level, current, isRunning }
  }

  /** The payment in the books, with its receipt. */
  async function record(
    tx: Tx,
    payment: PaidByHand & {
      accountId: string
      actor: string
      level: Level
      endsAt: number | null
      purpose: Payment['purpose']
      /** When what it pays for began, where that is not now. */
      activatedAt?: number
    },
    now: number,
  ): Promise<void> {
    const { accountId, actor, level, method, reference, amount, paidAt, endsAt, purpose, activatedAt } = payment
    const id = newId(now)
    await recordPayment(
      tx,
      {
        id,
        accountId,
        checkoutId: null,
        reference: referenceByHand(accountId, method, reference),
        paymentIntentId: null,
        purpose,
        levelKey: level.key,
        amount,
        currency: level.currency,
        receiptNumber: receiptNumber(id, paidAt, yearOf),
        periodEndsAt: endsAt,
        paidAt,
        ...(activatedAt !== undefined && { activatedAt }),
      },
      now,
    )
    const details = { before: null, after: { method, reference, amount, paidAt, level: level.key } }
    await writeAudit(tx, { actor, action: 'payment.recorded', subjectId: accountId, details }, now)
    await addToOutbox(tx, { kind: 'letter.receipt', payload: { paymentId: id }, dedupeKey: `receipt:${id}` }, now)
  }

  /** What is paid or given now is not to be paid again at a page that is open still. */
  async function closePage(tx: Tx, accountId: string, now: number): Promise<void> {
    const checkout = await findOpenCheckout(tx, accountId)
    if (!checkout?.stripeSessionId) return
    await addToOutbox(tx, { kind: 'payment.expire_checkout', payload: { checkoutId: checkout.id } }, now)
  }

  /** The term that a payment by hand pays for. @param from where a new term begins */
  async function giveTerm(
    tx: Tx,
    { level, current, isRunning }: Opened,
    { accountId, actor, from, now }: { accountId: string; actor: string; from: number; now: number },
  ): Promise<Pick<Payment, 'purpose' | 'periodEndsAt'>> {
    const isRenewal = isRunning && current !== null && renewsByHand(current, level)
    const isPaidUp = isRunning && current !== null && current.pastDueSince === null
    const endsAt = termEnd(isPaidUp && current.levelKey === level.key ? (current.endsAt ?? from) : from, level)
    if (isRenewal && endsAt !== null) await extendTerm(tx, current, { endsAt, actor, now })
    else await startMembership(tx, { accountId, level, current, endsAt, subscriptionId: null, actor, now })
    const purpose = isRunning && current?.levelKey === level.key ? 'renewal' : 'start'
    return { purpose, periodEndsAt: endsAt }
  }

  return {
    async recordFirst(tx, target, paid) {
      // Its first day may be past: by it the payment is known as the one that began the membership, if it is canceled later.
      const membership = await findCurrentMembership(tx, target.accountId)
      const began = membership && { activatedAt: membership.startedAt }
      await record(tx, { ...target, ...paid, ...began, purpose: 'start' }, clock.now())
    },
    ...createHandCorrections({ db, clock, alarms, graceMs, yearOf, wakeOutbox, open, giveTerm, closePage }),

    async payByHand(target, { method, reference, amount, paidAt }) {
      const { accountId, actor } = target
      const now = clock.now()
      await db.transaction().execute(async (tx) => {
        const known = referenceByHand(accountId, method, reference)
        await lockAccount(tx, accountId)
        const before = await findPaymentByReference(tx, known)
        if (before) throw fieldProblem('reference', `This is recorded already, with receipt ${before.receiptNumber}`)
        const opened = await open(tx, target)
        const { level } = opened
        const { purpose, periodEndsAt: endsAt } = await giveTerm(tx, opened, { accountId, actor, from: now, now })
        await record(tx, { accountId, actor, level, method, reference, amount, paidAt, endsAt, purpose }, now)
        await closePage(tx, accountId, now)
      })
      wakeOutbox()
    },

    async grant(target, { endsAt, reason }) {
      const { accountId, actor } = target
      const now = clock.now()
      await db.transaction().execute(async (tx) => {
        const { level, current, isRunning } = await open(tx, target)
        const end = requireEnd(level, endsAt, now)
        await closePage(tx, accountId, now)
        const term = {
          id: newId(now),
          accountId,
          levelKey: level.key,
          endsAt: end,
          reason,
          givenBy: actor,
          givenAt: now,
        }
        if (isRunning && current !== null && end !== null && renewsByHand(current, level)) {
          await extendTerm(tx, current, { endsAt: end, actor, now, reason })
          return insertComplimentaryTerm(tx, { ...term, membershipId: current.id })
        }
        const wanted = { accountId, level, current, endsAt: end, subscriptionId: null, actor, now, reason }
        return insertComplimentaryTerm(tx, { ...term, membershipId: await startMembership(tx, wanted) })
      })
      wakeOutbox()
    },
  }
}

export interface Opened {
  level: Level
  current: Membership | null
  /** Whether its rights exist. */
  isRunning: boolean
}

function requireEnd(level: Level, endsAt: number | null, now: number): number | null {
  if (!level.isRecurring) return null
  if (endsAt === null || endsAt <= now) throw fieldProblem('endsOn', 'Please enter a day that is still to come')
  return endsAt
}
