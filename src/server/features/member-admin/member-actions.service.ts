import type { Kysely } from 'kysely'
import type { correctPayment, recordByHand, voidPayment } from '#contract/console-hand-payments.ts'
import type { setTerm } from '#contract/console-member.ts'
import { isEmailShaped } from '#contract/fields.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import type { Db } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Officer } from '#server/http/serve.ts'
import { PaymentProviderError, type PaymentGateway } from '#server/payments/payment-gateway.ts'
import type { AuditAction } from '#server/platform/audit-actions.rules.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import { addToOutbox, listLettersAbout, reviveEffects } from '#server/platform/outbox.repository.ts'
import { fieldProblem, Problem } from '#server/platform/problem.ts'
import type { ActGuard } from '../console/act-guard.ts'
import { findKeptAddress } from '../account/account-merge.repository.ts'
import { findAccount, lockAccount, nameKey, type Account } from '../account/account.repository.ts'
import type { HeldWork } from '../console/held-work.ts'
import type { OfficerAct } from '../console/officer-acts.rules.ts'
import { listEndsAt } from '../account/deletion.repository.ts'
import { letterSubjects } from '../account/letter-subjects.repository.ts'
import { changeProfile } from '../account/profile.repository.ts'
import { membershipVersion } from './by-hand.rules.ts'
import { disableAccount, enableAccount } from './member.repository.ts'
import { findCurrentMembership } from './membership.repository.ts'
import { hasLiveSubscription } from './membership.rules.ts'
import { closeCreditedPages } from './payment-credit.repository.ts'
import { isWhollyReturned, refundOf } from './payment-return.rules.ts'
import type { PaymentReturnService } from './payment-return.service.ts'
import { findPayment, setRefundAsked, type PaymentRecord } from './payment.repository.ts'
import type { SettlementService } from './settlement.service.ts'
import type { SubscriptionService } from './subscription.service.ts'
import { noonOf } from './term-days.rules.ts'

interface Names {
  username: string
  firstName: string
  lastName: string
}

/** What officers do to one person. Each throws Problem NOT_FOUND for somebody who is not there and what the guard of acts refuses, and writes down who did it. */
export interface MemberActsService {
  /** @throws Problem INVALID_INPUT, USERNAME_TAKEN, CHANGED_MEANWHILE, OFFICER_ACCOUNT */
  edit(by: Officer, id: string, wanted: Names & { seen: Names }): Promise<void>
  /** @throws Problem IS_AN_OFFICER, CHANGED_MEANWHILE when the account is closed already */
  disable(by: Officer, id: string, reason: string): Promise<void>
  /** @throws Problem CHANGED_MEANWHILE when no officer had disabled it, IS_MERGED */
  enable(by: Officer, id: string): Promise<void>
  /** @throws Problem CHANGED_MEANWHILE when the account is closed */
  sendReset(by: Officer, id: string): Promise<void>
  resendReceipt(by: Officer, id: string, paymentId: string): Promise<void>
  resendLetter(by: Officer, id: string, letterId: string): Promise<void>
  setTerm(by: Officer, id: string, term: BodyOf<typeof setTerm>): Promise<void>
  recordByHand(by: Officer, id: string, payment: BodyOf<typeof recordByHand>): Promise<void>
  /** @throws Problem as the settlement says */
  voidByHand(by: Officer, id: string, wanted: BodyOf<typeof voidPayment> & { paymentId: string }): Promise<void>
  /** @throws Problem as the settlement says */
  correctByHand(by: Officer, id: string, wanted: BodyOf<typeof correctPayment> & { paymentId: string }): Promise<void>
  /** One whose renewal is owed ends at once. @throws Problem NO_MEMBERSHIP when it does not renew automatically, CHANGED_MEANWHILE, PROVIDER_FAILED */
  stopRenewal(by: Officer, id: string, wanted: { reason: string; version: string }): Promise<void>
  /** Gives back what is left of a payment by card and was not credited. @throws Problem CHANGED_MEANWHILE when it came back or was disputed, NOT_REFUNDABLE, PROVIDER_FAILED */
  refund(by: Officer, id: string, wanted: { paymentId: string; reason: string }): Promise<void>
  /** The payment of this person. */
  findPayment(id: string, paymentId: string): Promise<PaymentRecord>
}

const DIED = 'This member died, so no email goes to this address.'

export function createMemberActsService({
  db,
  clock,
  gateway,
  settlements,
  subscriptions,
  paymentReturns,
  guard,
  heldWork,
  wakeOutbox,
}: {
  db: Kysely<Schema>
  clock: Clock
  gateway: PaymentGateway
  settlements: SettlementService
  subscriptions: SubscriptionService
  paymentReturns: PaymentReturnService
  guard: ActGuard
  heldWork: HeldWork
  wakeOutbox(): void
}): MemberActsService {
  async function requireOpen(id: string): Promise<Account> {
    const account = await requirePerson(db, id)
    if (account.deactivatedBy !== null) throw new Problem('CHANGED_MEANWHILE')
    return account
  }

  const requireMay = (act: OfficerAct, by: Officer, on: string, handle: Db = db) =>
    guard.require(handle, { act, by: by.accountId, on })

  /** An email that would be held back is refused here, so that nobody believes it went. */
  async function requireNotDied(email: string, message: string): Promise<void> {
    if ((await listEndsAt(db, nameKey(email))).includes('deceased')) throw new Problem('ACCOUNT_CLOSED', { message })
  }

  async function paymentOf(id: string, paymentId: string, handle: Db = db): Promise<PaymentRecord> {
    const payment = await findPayment(handle, paymentId)
    if (payment?.accountId !== id) throw new Problem('NOT_FOUND')
    return payment
  }

  /** Noon of the day money was received. */
  function receivedAt(day: string): number {
    const instant = noonOf(day)
    if (instant > clock.now() + DAY_MS) throw fieldProblem('paidOn', 'This day is still to come')
    return instant
  }

  function note(
    by: Officer,
    subjectId: string,
    action: AuditAction,
    details: Record<string, unknown> = {},
    handle: Db = db,
  ): Promise<void> {
    return writeAudit(handle, { actor: by.accountId, action, subjectId, details }, clock.now())
  }

  return {
    findPayment: (id, paymentId) => paymentOf(id, paymentId),

    async edit(by, id, { seen, ...wanted }) {
      await db.transaction().execute(async (tx) => {
        await lockAccount(tx, id)
        const account = await requirePerson(tx, id)
        await requireMay('editMember', by, id, tx)
        const { username, firstName, lastName } = account
        const isAsSeen = username === seen.username && firstName === seen.firstName && lastName === seen.lastName
        if (!isAsSeen) throw new Problem('CHANGED_MEANWHILE')
        if (isEmailShaped(wanted.username) && nameKey(wanted.username) !== nameKey(account.email)) {
          throw fieldProblem('username', messages.username.foreignEmail)
        }
        if (!(await changeProfile(tx, account, wanted, clock.now()))) {
          throw new Problem('USERNAME_TAKEN', { fields: { username: messages.username.taken } })
        }
        const details = { before: seen, after: wanted }
        await writeAudit(tx, { actor: by.accountId, action: 'profile.changed', subjectId: id, details }, clock.now())
      })
    },

    async disable(by, id, reason) {
      await requirePerson(db, id)
      const check = async (tx: Db) => {
        await requireMay('disableMember', by, id, tx)
        if ((await requirePerson(tx, id)).deactivatedBy !== null) throw new Problem('CHANGED_MEANWHILE')
      }
      await disableMember(db, { accountId: id, actor: by.accountId, reason, check }, clock.now())
      await heldWork.hold(id, by.accountId)
      wakeOutbox()
    },

    async enable(by, id) {
      await db.transaction().execute(async (tx) => {
        await lockAccount(tx, id)
        await requirePerson(tx, id)
        // Roles rest while an account is disabled: enabling one gives them back.
        await requireMay('enableMember', by, id, tx)
        if ((await findKeptAddress(tx, id)) !== null) throw new Problem('IS_MERGED')
        if (!(await enableAccount(tx, id, clock.now()))) throw new Problem('CHANGED_MEANWHILE')
        await note(by, id, 'account.enabled', {}, tx)
      })
    },

    async sendReset(by, id) {
      await requireMay('sendResetLetter', by, id)
      const { email } = await requireOpen(id)
      await addToOutbox(db, { kind: 'auth.forgot_password', payload: { email } }, clock.now())
      await note(by, id, 'account.reset_sent')
      wakeOutbox()
    },

    async resendReceipt(by, id, paymentId) {
      await requireMay('resendReceipt', by, id)
      const { receiptNumber, voidedAt } = await paymentOf(id, paymentId)
      await requireNotDied((await requirePerson(db, id)).email, `${DIED} Print the receipt instead.`)
      const kind = voidedAt === null ? 'letter.receipt' : 'letter.receipt_canceled'
      await addToOutbox(db, { kind, payload: { paymentId } }, clock.now())
      await note(by, id, 'receipt.sent_again', { receiptNumber })
      wakeOutbox()
    },

    async resendLetter(by, id, letterId) {
      await requireMay('resendLetter', by, id)
      const { email } = await requirePerson(db, id)
      const letters = await listLettersAbout(db, await letterSubjects(db, email, [id]))
      // Only a letter of theirs: what else was given up is the webmaster's to try again.
      if (!letters.some((letter) => letter.id === letterId && letter.state === 'given up'))
        throw new Problem('NOT_FOUND')
      await requireNotDied(email, DIED)
      await reviveEffects(db, { id: letterId, now: clock.now() })
      await note(by, id, 'letter.sent_again', { letter: letterId })
      wakeOutbox()
    },

    async setTerm(by, accountId, { levelKey, version, endsOn, reason }) {
      await requireMay('setTerm', by, accountId)
      await settlements.grant(
        { accountId, levelKey, version, actor: by.accountId },
        { endsAt: endsOn === undefined ? null : noonOf(endsOn), reason },
      )
    },

    async recordByHand(by, accountId, { levelKey, version, method, reference, amount, paidOn }) {
      await requireMay('recordByHand', by, accountId)
      const paidAt = receivedAt(paidOn)
      const target = { accountId, levelKey, version, actor: by.accountId }
      await settlements.payByHand(target, { method, reference, amount, paidAt })
    },

    async voidByHand(by, accountId, wanted) {
      await requireMay('voidPayment', by, accountId)
      await settlements.voidByHand({ ...wanted, accountId, actor: by.accountId })
    },

    async correctByHand(by, accountId, { paymentId, version, reason, paidOn, levelKey, method, reference, amount }) {
      await requireMay('correctPayment', by, accountId)
      await settlements.correctByHand(
        { accountId, actor: by.accountId, paymentId, version, reason },
        { levelKey, method, reference, amount, paidAt: receivedAt(paidOn) },
      )
    },

    async stopRenewal(by, id, { reason, version }) {
      await requireMay('stopRenewal', by, id)
      await requirePerson(db, id)
      const membership = await findCurrentMembership(db, id)
      if (membershipVersion(membership) !== version) throw new Problem('CHANGED_MEANWHILE')
      const subscriptionId = membership?.stripeSubscriptionId
      const isStopped = membership?.cancelAtPeriodEnd === true && membership.pastDueSince === null
      if (!membership || !subscriptionId || !hasLiveSubscription(membership) || isStopped) {
        throw new Problem('NO_MEMBERSHIP', { message: 'This membership does not renew automatically.' })
      }
      // First what is wanted, then the call: nothing happens at the provider that nobody answers for.
      await note(by, id, 'membership.stop_asked', { reason, level: membership.levelKey })
      await atProvider(async () => {
        await gateway.cancelAtPeriodEnd(subscriptionId, `stop:console:${membership.id}:${clock.now()}`)
        await subscriptions.sync(subscriptionId)
      })
    },

    async refund(by, id, { paymentId, reason }) {
      const { paymentIntentId, before, amount } = await askRefund(by, id, { paymentId, reason })
      wakeOutbox()
      await atProvider(async () => {
        try {
          await gateway.refundPart({ paymentIntentId, refundId: `${paymentId}:${before}:${amount}`, amount })
        } catch (error) {
          if (error instanceof PaymentProviderError && error.outcome === 'refused')
            await setRefundAsked(db, paymentId, before)
          throw error
        }
        await paymentReturns.sync(paymentIntentId)
      })
    },
  }

  /** First what is wanted, then the call; from here on the payment gives no credit, so that it is not had twice. */
  function askRefund(by: Officer, id: string, { paymentId, reason }: { paymentId: string; reason: string }) {
    return db.transaction().execute(async (tx) => {
      const now = clock.now()
      await lockAccount(tx, id)
      await requireMay('refundPayment', by, id, tx)
      const payment = await paymentOf(id, paymentId, tx)
      const { amount, refusal } = refundOf(payment)
      const { paymentIntentId, receiptNumber, amountRefunded: before } = payment
      // Somebody else, or the bank, was quicker than this page.
      if (isWhollyReturned(payment) || payment.dispute === 'open') throw new Problem('CHANGED_MEANWHILE')
      if (refusal !== null || paymentIntentId === null) throw new Problem('NOT_REFUNDABLE', { message: refusal ?? '' })
      await setRefundAsked(tx, paymentId, before + amount)
      await closeCreditedPages(tx, paymentId, now)
      const details = { reason, receiptNumber, amount }
      await writeAudit(tx, { actor: by.accountId, action: 'payment.refund_asked', subjectId: id, details }, now)
      return { paymentIntentId, before, amount }
    })
  }
}

const DAY_MS = 86_400_000

async function atProvider(act: () => Promise<void>): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (error instanceof PaymentProviderError) throw new Problem('PROVIDER_FAILED')
    throw error
  }
}

async function requirePerson(db: Db, id: string): Promise<Account> {
  const account = await findAccount(db, id)
  if (!account) throw new Problem('NOT_FOUND')
  return account
}

/** Keeps somebody out and lets the renewal run out (one that is owed ends at once), as officers and the webmaster do. True when a renewal was stopped. @param check throws what forbids it, once the account is locked */
export async function disableMember(
  db: Kysely<Schema>,
  {
    accountId,
    actor,
    reason,
    check,
  }: { accountId: string; actor: string; reason?: string; check?: (tx: Db) => Promise<void> },
  now: number,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await lockAccount(tx, accountId)
    await check?.(tx)
    const membership = await findCurrentMembership(tx, accountId)
    await disableAccount(tx, accountId, now)
    const details = reason === undefined ? {} : { reason }
    await writeAudit(tx, { actor, action: 'account.disabled', subjectId: accountId, details }, now)
    const subscriptionId = membership && hasLiveSubscription(membership) ? membership.stripeSubscriptionId : null
    if (subscriptionId === null) return false
    const payload = { subscriptionId, cause: `disable:${accountId}:${now}` }
    await addToOutbox(tx, { kind: 'payment.stop_renewal', payload }, now)
    return true
  })
}
