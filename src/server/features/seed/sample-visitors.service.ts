import { dayOf } from '#contract/dates/dates.ts'
import { parseCents } from '#contract/public/sponsors.ts'
import type { Tx } from '#server/db/database.ts'
import { newId } from '#server/lib/ids.ts'
import { hashToken } from '#server/lib/secrets.ts'
import { findAccountByLogin } from '#server/features/accounts/account.queries.ts'
import {
  addAnswer,
  changeMessage,
  markAnswered,
  markAnswerSent,
  saveMessage,
} from '#server/features/contact/contact-message.commands.ts'
import { orderPaymentCommands } from '#server/features/orders/order-payment.commands.ts'
import { receiptNumber } from '#server/features/orders/payments/receipt-number.rules.ts'
import type { Tier } from '#server/features/content-store/kinds/support.kinds.ts'
import {
  markBenefitDelivered,
  recordSponsorshipPayment,
  reserveSponsorship,
  sponsorships,
} from '#server/features/sponsors/orders/sponsorship.commands.ts'
import { logoUntil, priceSponsorship } from '#server/features/sponsors/orders/sponsorship.rules.ts'
import type { SampleFiles } from './samples.schema.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

/** Inserts a sponsorship as if it was ordered that long ago. @throws Error if the amount does not match its tier */
export async function seedSponsorship(
  tx: Tx,
  {
    sample,
    tiers,
    logoMonths,
    currency,
    timeZone,
    now,
  }: {
    sample: SampleFiles['sponsorships'][number]
    tiers: readonly Tier[]
    logoMonths: number
    currency: string
    timeZone: string
    now: number
  },
): Promise<void> {
  const { name, email, company, phone, message, tierName, state, kept, refunded } = sample
  const priced = priceSponsorship({ tierName, amount: parseCents(String(sample.amount)) ?? 0 }, tiers)
  if (typeof priced === 'string') throw new Error(`The sample sponsorship of ${company} has no price: ${priced}`)
  const { hasLogo, ...benefits } = priced
  const createdAt = now - sample.orderedDaysAgo * DAY_MS
  const id = newId(createdAt)
  const order = { id, name, email, company, phone, message, ...benefits, logoMonths: hasLogo ? logoMonths : null }
  const times = { createdAt, expiresAt: createdAt + HOUR_MS / 2 }
  const page = { nonceHash: hashToken(id), openKey: id, leasedUntil: createdAt }
  await reserveSponsorship(tx, { ...order, ...times, ...page, currency })
  if (state !== 'paid') return sponsorships.close(tx, id, state)
  const paidAt = createdAt + 2 * MINUTE_MS
  const paidOn = dayOf(paidAt, timeZone)
  await sponsorships.markPaid(tx, id, { stripeSessionId: `sample:${id}`, paidAt, now: paidAt })
  await recordSponsorshipPayment(
    tx,
    id,
    {
      paymentReference: null,
      receiptNumber: receiptNumber(id, paidAt, () => paidOn.slice(0, 4)),
      logoUntil: logoUntil(paidOn, order.logoMonths),
    },
    paidAt,
  )
  for (const benefit of kept) await markBenefitDelivered(tx, id, benefit, paidAt + DAY_MS)
  if (refunded > 0) {
    const refund = { amountRefunded: Math.round(refunded * 100), refundedAt: paidAt + 10 * DAY_MS, dispute: null }
    const before = { id, amount: order.amount, currency, amountRefunded: 0, dispute: null }
    await orderPaymentCommands('sponsorship', 'sponsorship').update(tx, before, refund, refund.refundedAt)
  }
}

/** Inserts a message as if it was received that long ago, answered, assigned or marked as spam if the sample says so. */
export async function seedMessage(
  tx: Tx,
  { receivedHoursAgo, answeredHoursAgo, reply, spamHoursAgo, assignedTo, ...message }: SampleFiles['messages'][number],
  { officerId, now }: { officerId: string; now: number },
): Promise<void> {
  const receivedAt = now - receivedHoursAgo * HOUR_MS
  const id = newId(receivedAt)
  await saveMessage(tx, { ...message, id, receivedAt })
  const assignee = assignedTo ? await findAccountByLogin(tx, assignedTo) : null
  const spamAt = spamHoursAgo === null ? null : now - spamHoursAgo * HOUR_MS
  if (assignee || spamAt !== null)
    await changeMessage(tx, { id, version: 1 }, { assignedTo: assignee?.id ?? null, spamAt })
  if (answeredHoursAgo === null) return
  const answeredAt = now - answeredHoursAgo * HOUR_MS
  if (reply) {
    const answer = { id: newId(answeredAt), messageId: id, text: reply, sentBy: assignee?.id ?? officerId }
    await addAnswer(tx, { ...answer, now: answeredAt })
    await markAnswerSent(tx, answer.id, answeredAt)
  }
  await markAnswered(tx, id, answeredAt)
}
