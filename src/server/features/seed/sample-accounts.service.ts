import { addMonths, addTerms } from '#contract/level-terms.ts'
import type { Tx } from '#server/db/database.ts'
import { newId } from '#server/lib/ids.ts'
import { createAccount, setStripeCustomer } from '#server/features/accounts/account.commands.ts'
import { recordConsent } from '#server/features/accounts/consent.commands.ts'
import { findLevel } from '#server/features/levels/level.queries.ts'
import { insertCurrentMembership } from '#server/features/memberships/membership.commands.ts'
import { recordPayment } from '#server/features/memberships/payments/payment.commands.ts'
import { addTerm } from '#server/features/officers/officer.commands.ts'
import { firstTerm } from '#server/features/officers/officer.rules.ts'
import { receiptNumber } from '#server/features/orders/payments/receipt-number.rules.ts'
import type { SampleFiles } from './samples.schema.ts'
import { BY_HAND } from '#server/features/memberships/membership.rules.ts'

/** The card provider's subscription of a sample member who renews. */
export interface SampleSubscription {
  subscriptionId: string
  customerId: string
  periodEndsAt: number
  /** Its first invoice. */
  invoiceId: string | null
}

/** Inserts a member who can log in. No-op if the address is taken. */
export async function seedAccount(
  tx: Tx,
  {
    sample,
    passwordHash,
    subscription,
    now,
    timeZone,
  }: {
    sample: SampleFiles['accounts']['accounts'][number]
    passwordHash: string
    subscription: SampleSubscription | null
    now: number
    timeZone: string
  },
): Promise<void> {
  const ago = (months: number) => addMonths(now, -months)
  const joinedAt = ago(sample.joinedMonthsAgo)
  const account = await createAccount(tx, { ...sample, id: newId(joinedAt), passwordHash, createdAt: joinedAt }, now)
  const level = await findLevel(tx, sample.membership.level)
  // Another instance created it first.
  if (!account || !level) return
  if (sample.isOfficer) {
    const term = { id: newId(now), accountId: account.id, role: 'president', ...firstTerm(now, timeZone) } as const
    await addTerm(tx, { ...term, givenBy: 'webmaster' }, now)
  }
  await recordConsent(tx, { personId: account.id, kind: 'terms', version: '2026-11-01', givenAt: joinedAt }, now)
  const { paidMonthsAgo = [], startedMonthsAgo } = sample.membership
  const termStart = ago(paidMonthsAgo.at(-1) ?? startedMonthsAgo ?? 0)
  for (const months of paidMonthsAgo) {
    const id = newId(ago(months))
    await recordPayment(
      tx,
      {
        id,
        accountId: account.id,
        checkoutId: null,
        // The last payment has the invoice of its subscription, so that webhook events about it are no-ops.
        reference: (months === paidMonthsAgo.at(-1) && subscription?.invoiceId) || `sample:${id}`,
        paymentIntentId: null,
        purpose: months === paidMonthsAgo[0] ? 'start' : 'renewal',
        periodEndsAt: addTerms(ago(months), level),
        levelKey: level.key,
        amount: level.unitAmount,
        currency: level.currency,
        receiptNumber: receiptNumber(id, ago(months), (instant) => String(new Date(instant).getUTCFullYear())),
        paidAt: ago(months),
        receiptSentAt: ago(months),
      },
      ago(months),
    )
  }
  await insertCurrentMembership(
    tx,
    {
      id: newId(now),
      accountId: account.id,
      levelKey: level.key,
      kind: level.isRecurring ? 'RECURRING' : 'ONE_TIME',
      startedAt: ago(paidMonthsAgo[0] ?? startedMonthsAgo ?? 0),
      endsAt: subscription?.periodEndsAt ?? addTerms(termStart, level),
      ...BY_HAND,
      stripeSubscriptionId: subscription?.subscriptionId ?? null,
      stripeStatus: subscription ? 'active' : null,
    },
    now,
  )
  if (subscription) await setStripeCustomer(tx, account.id, subscription.customerId, now)
}
