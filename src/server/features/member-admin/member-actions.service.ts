import { refreshDirectoryWords } from '#server/features/member-record/directory-words.commands.ts'
import { isDeepStrictEqual } from 'node:util'
import type { AppContext } from '#server/app-context.ts'
import type { Kysely } from 'kysely'
import type { correctPayment, voidPayment } from '#contract/console/money/hand-payments.ts'
import type { editMember, setTerm } from '#contract/console/member.ts'
import { isEmailShaped } from '#contract/fields.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import type { Db } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema/schema.ts'
import type { Officer } from '#server/http/serve.ts'
import { PaymentProviderError } from '#server/stripe/payment-gateway.ts'
import type { AuditAction } from '#server/audit-log/audit-actions.rules.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { listEmailsAbout, requeueDeadLetters } from '#server/jobs/outbox-records.repository.ts'
import { fieldProblem, Problem } from '#server/lib/problem.ts'
import type { ActAuthorizer } from '#server/features/officers/approvals/act-guard.service.ts'
import { findMergeTargetEmail } from '#server/features/accounts/account-merge.queries.ts'
import { findAccount, type Account } from '#server/features/accounts/account.queries.ts'
import { disableAccount, lockAccount } from '#server/features/accounts/account.commands.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'
import type { HeldWork } from '#server/features/scheduled-work/scheduled-work.service.ts'
import type { OfficerAct } from '#server/features/officers/officer-acts.rules.ts'
import { isAddressOfDeceased } from '#server/features/person-state/person-state.queries.ts'
import { listAccountEndsByEmail } from '#server/features/my-account/deletion/deletion.queries.ts'
import { findEmailSubjectIds } from '#server/features/accounts/email-subjects.queries.ts'
import { changeProfile } from '#server/features/accounts/profile.commands.ts'
import { membershipVersion } from '#server/features/memberships/payments/manual-payment.rules.ts'
import { enableAccount } from './member.repository.ts'
import { findCurrentMembership } from '#server/features/memberships/membership.queries.ts'
import { hasLiveSubscription } from '#server/features/memberships/membership.rules.ts'
import { isFullyRefunded } from '#server/features/orders/payments/refunded-amount.rules.ts'
import { askDuesRefund } from '#server/features/memberships/payments/ask-refund.commands.ts'
import { refundOption } from '#server/features/memberships/payments/refund.rules.ts'
import type { Orders } from '#server/features/orders/order.service.ts'
import { findPayment, type PaymentRecord } from '#server/features/memberships/payments/payment.queries.ts'
import type { ManualPayments } from '#server/features/memberships/payments/manual-payment.service.ts'
import type { SubscriptionService } from '#server/features/memberships/subscription.service.ts'
import { requirePaidAt } from '#server/features/memberships/payments/paid-on.service.ts'
import { noonUtc } from '#server/features/memberships/term-days.rules.ts'
import { forgotPassword } from '#server/features/auth/auth.effects.ts'
import { stopRenewal } from '#server/features/memberships/membership.effects.ts'
import { sendReceipt, sendReceiptCanceled } from '#server/features/memberships/membership.emails.ts'

const DIED = 'This member died, so no email goes to this address.'

/** Officers' actions on one member. Each throws Problem NOT_FOUND and whatever the authorization guard throws, and writes to the audit log. */
export function createMemberActionsService(
  { db, clock, gateway, wakeOutbox }: AppContext,
  {
    manualPayments,
    subscriptions,
    orders,
    guard,
    heldWork,
  }: {
    manualPayments: ManualPayments
    subscriptions: SubscriptionService
    orders: Pick<Orders, 'refunds'>
    guard: ActAuthorizer
    heldWork: HeldWork
  },
) {
  async function requireOpen(id: string): Promise<Account> {
    const account = await requirePerson(db, id)
    if (account.deactivatedBy !== null) throw new Problem('CHANGED_MEANWHILE')
    return account
  }

  const requireMay = (act: OfficerAct, by: Officer, on: string, handle: Db = db) =>
    guard.require(handle, { act, by: by.accountId, on })

  /** Rejects an email that would be suppressed, so the officer does not assume it was sent. */
  async function requireNotDied(email: string, message: string): Promise<void> {
    const key = nameKey(email)
    const hasDied = (await isAddressOfDeceased(db, key)) || (await listAccountEndsByEmail(db, key)).includes('deceased')
    if (hasDied) throw new Problem('ACCOUNT_CLOSED', { message })
  }

  async function paymentOf(id: string, paymentId: string, handle: Db = db): Promise<PaymentRecord> {
    const payment = await findPayment(handle, paymentId)
    if (payment?.accountId !== id) throw new Problem('NOT_FOUND')
    return payment
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
    /** Finds a payment of this member. */
    findPayment: (id: string, paymentId: string): Promise<PaymentRecord> => paymentOf(id, paymentId),

    /** @throws Problem INVALID_INPUT, USERNAME_TAKEN, CHANGED_MEANWHILE, OFFICER_ACCOUNT */
    async edit(by: Officer, id: string, { seen, ...wanted }: BodyOf<typeof editMember>): Promise<void> {
      await db.transaction().execute(async (tx) => {
        await lockAccount(tx, id)
        const account = await requirePerson(tx, id)
        await requireMay('editMember', by, id, tx)
        if (!isDeepStrictEqual({ ...account, ...seen }, account)) throw new Problem('CHANGED_MEANWHILE')
        if (isEmailShaped(wanted.username) && nameKey(wanted.username) !== nameKey(account.email)) {
          throw fieldProblem('username', messages.username.foreignEmail)
        }
        if (!(await changeProfile(tx, account, wanted, clock.now()))) {
          throw new Problem('USERNAME_TAKEN', { fields: { username: messages.username.taken } })
        }
        await refreshDirectoryWords(tx, id)
        const details = { before: seen, after: wanted }
        await writeAudit(tx, { actor: by.accountId, action: 'profile.changed', subjectId: id, details }, clock.now())
      })
    },

    /** @throws Problem IS_AN_OFFICER, CHANGED_MEANWHILE when the account is already closed */
    async disable(by: Officer, id: string, reason: string): Promise<void> {
      await requirePerson(db, id)
      const check = async (tx: Db) => {
        await requireMay('disableMember', by, id, tx)
        if ((await requirePerson(tx, id)).deactivatedBy !== null) throw new Problem('CHANGED_MEANWHILE')
      }
      await disableMember(db, { accountId: id, actor: by.accountId, reason, check }, clock.now())
      await heldWork.holdScheduled(id, by.accountId)
      wakeOutbox()
    },

    /** @throws Problem CHANGED_MEANWHILE unless an officer had disabled it, IS_MERGED */
    async enable(by: Officer, id: string): Promise<void> {
      await db.transaction().execute(async (tx) => {
        await lockAccount(tx, id)
        await requirePerson(tx, id)
        // Roles are suspended while an account is disabled; enabling it restores them.
        await requireMay('enableMember', by, id, tx)
        if ((await findMergeTargetEmail(tx, id)) !== null) throw new Problem('IS_MERGED')
        if (!(await enableAccount(tx, id, clock.now()))) throw new Problem('CHANGED_MEANWHILE')
        await note(by, id, 'account.enabled', {}, tx)
      })
    },

    /** @throws Problem CHANGED_MEANWHILE when the account is closed */
    async sendReset(by: Officer, id: string): Promise<void> {
      await requireMay('sendResetLetter', by, id)
      const { email } = await requireOpen(id)
      await addToOutbox(db, { effect: forgotPassword, payload: { email } }, clock.now())
      await note(by, id, 'account.reset_sent')
      wakeOutbox()
    },

    async resendReceipt(by: Officer, id: string, paymentId: string): Promise<void> {
      await requireMay('resendReceipt', by, id)
      const { receiptNumber, voidedAt } = await paymentOf(id, paymentId)
      await requireNotDied((await requirePerson(db, id)).email, `${DIED} Print the receipt instead.`)
      const effect = voidedAt === null ? sendReceipt : sendReceiptCanceled
      await addToOutbox(db, { effect, payload: { paymentId } }, clock.now())
      await note(by, id, 'receipt.sent_again', { receiptNumber })
      wakeOutbox()
    },

    async resendEmail(by: Officer, id: string, emailId: string): Promise<void> {
      await requireMay('resendLetter', by, id)
      const { email } = await requirePerson(db, id)
      const emails = await listEmailsAbout(db, await findEmailSubjectIds(db, email, [id]))
      // Only emails about this member; other failed deliveries are for the webmaster to retry.
      if (!emails.some((sent) => sent.id === emailId && sent.state === 'given up')) throw new Problem('NOT_FOUND')
      await requireNotDied(email, DIED)
      await requeueDeadLetters(db, { id: emailId, now: clock.now() })
      await note(by, id, 'email.sent_again', { letter: emailId })
      wakeOutbox()
    },

    async setTerm(
      by: Officer,
      accountId: string,
      { levelKey, version, endsOn, reason }: BodyOf<typeof setTerm>,
    ): Promise<void> {
      await requireMay('setTerm', by, accountId)
      await manualPayments.grantTerm(
        { accountId, levelKey, version, actor: by.accountId },
        { endsAt: endsOn === undefined ? null : noonUtc(endsOn), reason },
      )
    },

    /** @throws Problem as the order service does */
    async voidManualPayment(
      by: Officer,
      accountId: string,
      wanted: BodyOf<typeof voidPayment> & { paymentId: string },
    ): Promise<void> {
      await requireMay('voidPayment', by, accountId)
      await manualPayments.voidManualPayment({ ...wanted, accountId, actor: by.accountId })
    },

    /** @throws Problem as the order service does */
    async correctManualPayment(
      by: Officer,
      accountId: string,
      {
        paymentId,
        version,
        reason,
        paidOn,
        levelKey,
        method,
        reference,
        amount,
      }: BodyOf<typeof correctPayment> & { paymentId: string },
    ): Promise<void> {
      await requireMay('correctPayment', by, accountId)
      await manualPayments.correctManualPayment(
        { accountId, actor: by.accountId, paymentId, version, reason },
        { levelKey, method, reference, amount, paidAt: requirePaidAt(paidOn, clock.now()) },
      )
    },

    /** A membership with an unpaid renewal ends immediately. @throws Problem NO_MEMBERSHIP when it does not renew automatically, CHANGED_MEANWHILE, PROVIDER_FAILED */
    async stopRenewal(
      by: Officer,
      id: string,
      { reason, version }: { reason: string; version: string },
    ): Promise<void> {
      await requireMay('stopRenewal', by, id)
      await requirePerson(db, id)
      const membership = await findCurrentMembership(db, id)
      if (membershipVersion(membership) !== version) throw new Problem('CHANGED_MEANWHILE')
      const subscriptionId = membership?.stripeSubscriptionId
      const isStopped = membership?.cancelAtPeriodEnd === true && membership.pastDueSince === null
      if (!membership || !subscriptionId || !hasLiveSubscription(membership) || isStopped) {
        throw new Problem('NO_MEMBERSHIP', { message: 'This membership does not renew automatically.' })
      }
      // Audit before the call, so every change at the provider has an accountable officer.
      await note(by, id, 'membership.stop_asked', { reason, level: membership.levelKey })
      await atProvider(async () => {
        await gateway.cancelAtPeriodEnd(subscriptionId, `stop:console:${membership.id}:${clock.now()}`)
        await subscriptions.sync(subscriptionId)
      })
    },

    /** Refunds the rest of a card payment, less what was credited. @throws Problem CHANGED_MEANWHILE when it was refunded or disputed, NOT_REFUNDABLE, PROVIDER_FAILED */
    async refund(by: Officer, id: string, wanted: { paymentId: string; reason: string }): Promise<void> {
      const refundId = await askRefund(by, id, wanted)
      wakeOutbox()
      await orders.refunds.makeNow(refundId)
    },
  }

  /** Records the refund before the call. From then on the payment yields no credit, so it is never both refunded and credited. */
  function askRefund(by: Officer, id: string, { paymentId, reason }: { paymentId: string; reason: string }) {
    return db.transaction().execute(async (tx) => {
      const now = clock.now()
      await lockAccount(tx, id)
      await requireMay('refundPayment', by, id, tx)
      const payment = await paymentOf(id, paymentId, tx)
      const { amount, refusal } = refundOption(payment)
      // Refunded or disputed since the page was loaded.
      if (isFullyRefunded(payment) || payment.dispute === 'open') throw new Problem('CHANGED_MEANWHILE')
      if (refusal !== null) throw new Problem('NOT_REFUNDABLE', { message: refusal })
      return askDuesRefund(tx, payment, { by: by.accountId, amount, reason, now })
    })
  }
}

export type MemberActionsService = ReturnType<typeof createMemberActionsService>

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

/** Disables an account and stops its renewal (one with an unpaid renewal ends immediately). True when a renewal was stopped. @param check runs once the account is locked; throws to reject */
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
    await addToOutbox(tx, { effect: stopRenewal, payload }, now)
    return true
  })
}
