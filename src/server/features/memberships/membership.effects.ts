import type { Kysely } from 'kysely'
import type { Association } from '#contract/association.ts'
import { formatLongDate } from '#contract/dates.ts'
import type { Schema } from '#server/db/schema.ts'
import type { OutgoingLetter } from '#server/mail/letter.ts'
import type { PaymentGateway } from '#server/payments/payment-gateway.ts'
import type { Clock } from '#server/platform/clock.ts'
import { addToOutbox } from '#server/platform/outbox.repository.ts'
import { findAccount } from '../account/account.repository.ts'
import { closeCheckout, findCheckout } from './checkout.repository.ts'
import { findLevel } from './level.repository.ts'
import {
  creditGoneLetter,
  givenBackLetter,
  receiptCanceledLetter,
  receiptLetter,
  welcomeLetter,
} from './membership.emails.ts'
import type { ReceiptService } from './receipt.service.ts'
import { findCurrentMembership } from './membership.repository.ts'
import { hasRights, membershipStatus, runsUntil } from './membership.rules.ts'
import { findPayment, markReceiptSent } from './payment.repository.ts'
import type { SettlementService } from './settlement.service.ts'
import type { SubscriptionService } from './subscription.service.ts'

type Payload = Record<string, unknown>

/** What the outbox does for memberships: letters, and calls to the provider that follow from a fact. */
export function createMembershipEffects({
  db,
  clock,
  gateway,
  siteUrl,
  timeZone,
  graceMs,
  association,
  settlements,
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
  settlements: SettlementService
  subscriptions: SubscriptionService
  receipts: ReceiptService
}): {
  letters: Record<string, (payload: Payload) => Promise<OutgoingLetter | null>>
  effects: Record<string, (payload: Payload) => Promise<void>>
} {
  async function welcome({ accountId, membershipId }: Payload): Promise<OutgoingLetter | null> {
    const account = await findAccount(db, String(accountId))
    const membership = account && (await findCurrentMembership(db, account.id))
    const level = membership && (await findLevel(db, membership.levelKey))
    if (!account || !membership || !level || membership.id !== membershipId) return null
    const { endsAt, stripeSubscriptionId } = membership
    const letter = welcomeLetter(
      { ...account, level, endsAt, renews: stripeSubscriptionId !== null, timeZone },
      `${siteUrl}/auth/account`,
      await association(),
    )
    return { ...letter, to: account.email }
  }

  async function receipt({ paymentId }: Payload): Promise<OutgoingLetter | null> {
    const payment = await findPayment(db, String(paymentId))
    const account = payment && (await findAccount(db, payment.accountId))
    const paper = payment && (await receipts.print(payment))
    // Canceled since it was queued: another email says so.
    if (!payment || payment.voidedAt !== null || !account || !paper) return null
    return {
      ...receiptLetter(account.firstName, paper, await association()),
      to: account.email,
      attachments: [{ filename: paper.filename, contentType: 'application/pdf', content: paper.pdf }],
      onSent: () => markReceiptSent(db, payment.id, clock.now()),
    }
  }

  /** Says what is left as it is when the email goes out. */
  async function receiptCanceled({ paymentId }: Payload): Promise<OutgoingLetter | null> {
    const payment = await findPayment(db, String(paymentId))
    const account = payment && (await findAccount(db, payment.accountId))
    const paper = payment && (await receipts.print(payment))
    if (!payment || payment.voidedAt === null || !account || account.deactivatedBy !== null || !paper) return null
    const membership = await findCurrentMembership(db, account.id)
    const level = membership && (await findLevel(db, membership.levelKey))
    const isHeld = membership !== null && hasRights(membershipStatus(membership, clock.now(), graceMs()))
    const ends = membership && runsUntil(membership, graceMs())
    const until = ends === null ? null : formatLongDate(ends, timeZone)
    const left = isHeld && level ? { levelName: level.name, until } : null
    return {
      ...receiptCanceledLetter(
        { firstName: account.firstName, membership: left, accountUrl: `${siteUrl}/auth/account` },
        paper,
        await association(),
      ),
      to: account.email,
      attachments: [{ filename: paper.filename, contentType: 'application/pdf', content: paper.pdf }],
    }
  }

  async function givenBack({ accountId, why }: Payload): Promise<OutgoingLetter | null> {
    const account = await findAccount(db, String(accountId))
    if (!account) return null
    const letter = why === 'credit-gone' ? creditGoneLetter : givenBackLetter
    return { ...letter(account.firstName, await association()), to: account.email }
  }

  /** What a checkout paid for twice, or an invoice after the end: that one is in the books, and its refund is told like every other. */
  async function giveBack({
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
        kind: 'letter.given_back',
        payload: { accountId, ...(why !== undefined && { why }) },
        dedupeKey: `given-back:${cause}`,
      },
      clock.now(),
    )
  }

  /** What was paid at the page in the meantime decides. */
  async function expireCheckout({ checkoutId }: Payload): Promise<void> {
    const checkout = await findCheckout(db, String(checkoutId))
    if (!checkout?.stripeSessionId || checkout.state !== 'open') return
    const facts = await gateway.expireCheckout(checkout.stripeSessionId)
    if (facts) await settlements.settleFrom(facts)
    else await closeCheckout(db, checkout.id, 'expired')
  }

  /** `unlessPaid`: because of what was written down about it; paid in the meantime, it goes on. */
  async function endSubscription({ subscriptionId, unlessPaid }: Payload): Promise<void> {
    if (unlessPaid === true) {
      const facts = await gateway.readSubscription(String(subscriptionId))
      if (facts?.status === 'active' && !facts.cancelsAtPeriodEnd) {
        await subscriptions.sync(String(subscriptionId))
        return
      }
    }
    await gateway.cancelSubscription(String(subscriptionId), `end:${String(subscriptionId)}`)
  }

  return {
    letters: {
      'letter.welcome': welcome,
      'letter.receipt': receipt,
      'letter.receipt_canceled': receiptCanceled,
      'letter.given_back': givenBack,
    },
    effects: {
      'payment.give_back': giveBack,
      'payment.end_subscription': endSubscription,
      'payment.expire_checkout': expireCheckout,
      'payment.stop_renewal': async ({ subscriptionId, cause }) =>
        void (await gateway.cancelAtPeriodEnd(String(subscriptionId), `stop:${String(cause)}`)),
      'payment.sync_subscription': async ({ subscriptionId }) =>
        void (await subscriptions.sync(String(subscriptionId))),
    },
  }
}
