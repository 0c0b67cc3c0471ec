import type { Kysely } from 'kysely'
import type { Association } from '#contract/public/association.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import type { Schema } from '#server/db/schema/schema.ts'
import type { OutgoingEmail } from '#server/emails/email.ts'
import type { PaymentGateway } from '#server/stripe/payment-gateway.ts'
import type { Clock } from '#server/lib/clock.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import { closeCheckout, findCheckout } from './checkout/checkout.commands.ts'
import { findLevel } from '#server/features/levels/level.queries.ts'
import {
  creditUnavailableEmail,
  duplicateRefundEmail,
  receiptCanceledEmail,
  receiptEmail,
  welcomeEmail,
} from './membership.emails.ts'
import type { ReceiptService } from './billing/receipt.service.ts'
import { findCurrentMembership } from './membership.queries.ts'
import { hasRights, membershipStatus, runsUntil } from './membership.rules.ts'
import { findPayment } from './payments/payment.queries.ts'
import { markReceiptSent } from './payments/payment.commands.ts'
import type { OrderCompletionService } from './checkout/order-completion.service.ts'
import type { SubscriptionService } from './subscription.service.ts'

type Payload = Record<string, unknown>

/** Outbox handlers for memberships: emails and calls to the payment provider. */
export function createMembershipEffects({
  db,
  clock,
  gateway,
  siteUrl,
  timeZone,
  graceMs,
  association,
  completions,
  subscriptions,
  receipts,
}: {
  db: Kysely<Schema>
  clock: Clock
  gateway: PaymentGateway
  siteUrl: string
  timeZone: string
  graceMs(): number
  association(): Promise<Association>
  completions: OrderCompletionService
  subscriptions: SubscriptionService
  receipts: ReceiptService
}): {
  emails: Record<string, (payload: Payload) => Promise<OutgoingEmail | null>>
  effects: Record<string, (payload: Payload) => Promise<void>>
} {
  async function welcome({ accountId, membershipId }: Payload): Promise<OutgoingEmail | null> {
    const account = await findAccount(db, String(accountId))
    const membership = account && (await findCurrentMembership(db, account.id))
    const level = membership && (await findLevel(db, membership.levelKey))
    if (!account || !membership || !level || membership.id !== membershipId) return null
    const { endsAt, stripeSubscriptionId } = membership
    const email = welcomeEmail(
      { ...account, level, endsAt, renews: stripeSubscriptionId !== null, timeZone },
      `${siteUrl}/auth/account`,
      await association(),
    )
    return { ...email, to: account.email }
  }

  async function receipt({ paymentId }: Payload): Promise<OutgoingEmail | null> {
    const payment = await findPayment(db, String(paymentId))
    const account = payment && (await findAccount(db, payment.accountId))
    const printed = payment && (await receipts.render(payment))
    // Voided since it was queued: another email reports that.
    if (!payment || payment.voidedAt !== null || !account || !printed) return null
    return {
      ...receiptEmail(account.firstName, printed, await association()),
      to: account.email,
      attachments: [{ filename: printed.filename, contentType: 'application/pdf', content: printed.pdf }],
      onSent: () => markReceiptSent(db, payment.id, clock.now()),
    }
  }

  /** Describes the membership as of sending. */
  async function receiptCanceled({ paymentId }: Payload): Promise<OutgoingEmail | null> {
    const payment = await findPayment(db, String(paymentId))
    const account = payment && (await findAccount(db, payment.accountId))
    const printed = payment && (await receipts.render(payment))
    if (!payment || payment.voidedAt === null || !account || account.deactivatedBy !== null || !printed) return null
    const membership = await findCurrentMembership(db, account.id)
    const level = membership && (await findLevel(db, membership.levelKey))
    const isHeld = membership !== null && hasRights(membershipStatus(membership, clock.now(), graceMs()))
    const ends = membership && runsUntil(membership, graceMs())
    const until = ends === null ? null : formatLongDate(ends, timeZone)
    const remaining = isHeld && level ? { levelName: level.name, until } : null
    return {
      ...receiptCanceledEmail(
        { firstName: account.firstName, membership: remaining, accountUrl: `${siteUrl}/auth/account` },
        printed,
        await association(),
      ),
      to: account.email,
      attachments: [{ filename: printed.filename, contentType: 'application/pdf', content: printed.pdf }],
    }
  }

  async function paymentRefunded({ accountId, why }: Payload): Promise<OutgoingEmail | null> {
    const account = await findAccount(db, String(accountId))
    if (!account) return null
    const compose = why === 'credit-gone' ? creditUnavailableEmail : duplicateRefundEmail
    return { ...compose(account.firstName, await association()), to: account.email }
  }

  /** Refunds a duplicate checkout payment, or an invoice paid after the membership ended. The invoice is on record, so its refund is reported by the usual email. */
  async function refundPayment({
    checkoutId,
    invoiceId,
    accountId,
    subscriptionId,
    reference,
    why,
  }: Payload): Promise<void> {
    const cause = String(checkoutId ?? invoiceId)
    if (typeof subscriptionId === 'string')
      await gateway.cancelSubscription(subscriptionId, `give-back-cancel:${cause}`)
    if (typeof reference === 'string') await gateway.refund(reference, `give-back-refund:${cause}`)
    if (checkoutId === undefined) return
    await addToOutbox(
      db,
      {
        kind: 'email.refund',
        payload: { accountId, ...(why !== undefined && { why }) },
        dedupeKey: `given-back:${cause}`,
      },
      clock.now(),
    )
  }

  /** Expires an open checkout, or completes it if it was paid in the meantime. */
  async function expireCheckout({ checkoutId }: Payload): Promise<void> {
    const checkout = await findCheckout(db, String(checkoutId))
    if (!checkout?.stripeSessionId || checkout.state !== 'open') return
    const snapshot = await gateway.expireCheckout(checkout.stripeSessionId)
    if (snapshot) await completions.completeFrom(snapshot)
    else await closeCheckout(db, checkout.id, 'expired')
  }

  /** Cancels a subscription. With `unlessPaid`, one that was paid since it was queued is synced instead. */
  async function endSubscription({ subscriptionId, unlessPaid }: Payload): Promise<void> {
    if (unlessPaid === true) {
      const snapshot = await gateway.readSubscription(String(subscriptionId))
      if (snapshot?.status === 'active' && !snapshot.cancelsAtPeriodEnd) {
        await subscriptions.sync(String(subscriptionId))
        return
      }
    }
    await gateway.cancelSubscription(String(subscriptionId), `end:${String(subscriptionId)}`)
  }

  return {
    emails: {
      'email.welcome': welcome,
      'email.receipt': receipt,
      'email.receipt_canceled': receiptCanceled,
      'email.refund': paymentRefunded,
    },
    effects: {
      'payment.refund': refundPayment,
      'payment.end_subscription': endSubscription,
      'payment.expire_checkout': expireCheckout,
      'payment.stop_renewal': async ({ subscriptionId, cause }) =>
        void (await gateway.cancelAtPeriodEnd(String(subscriptionId), `stop:${String(cause)}`)),
      'payment.sync_subscription': async ({ subscriptionId }) =>
        void (await subscriptions.sync(String(subscriptionId))),
    },
  }
}
