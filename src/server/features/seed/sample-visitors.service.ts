import { dayOf } from '#contract/dates/dates.ts'
import { parseCents } from '#contract/public/sponsors.ts'
import type { Tx } from '#server/db/database.ts'
import { newId } from '#server/lib/ids.ts'
import { hashToken } from '#server/lib/secrets.ts'
import { markAnswered, saveMessage } from '#server/features/contact/contact-message.commands.ts'
import { receiptNumber } from '#server/features/orders/receipt-number.rules.ts'
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
    timeZone,
    now,
  }: {
    sample: SampleFiles['sponsorships'][number]
    tiers: readonly Tier[]
    logoMonths: number
    timeZone: string
    now: number
  },
): Promise<void> {
  const { name, email, company, phone, message, tierName, state, kept } = sample
  const priced = priceSponsorship({ tierName, amount: parseCents(String(sample.amount)) ?? 0 }, tiers)
  if (typeof priced === 'string') throw new Error(`The sample sponsorship of ${company} has no price: ${priced}`)
  const { hasLogo, ...benefits } = priced
  const createdAt = now - sample.orderedDaysAgo * DAY_MS
  const id = newId(createdAt)
  const order = { id, name, email, company, phone, message, ...benefits, logoMonths: hasLogo ? logoMonths : null }
  const times = { createdAt, expiresAt: createdAt + HOUR_MS / 2 }
  const page = { nonceHash: hashToken(id), openKey: id, leasedUntil: createdAt }
  await reserveSponsorship(tx, { ...order, ...times, ...page, currency: 'usd' })
  if (state !== 'paid') return sponsorships.close(tx, id, state)
  const paidAt = createdAt + 2 * MINUTE_MS
  const paidOn = dayOf(paidAt, timeZone)
  await sponsorships.markPaid(tx, id, { stripeSessionId: `sample:${id}`, paidAt, now: paidAt })
  await recordSponsorshipPayment(tx, id, {
    paymentReference: null,
    receiptNumber: receiptNumber(id, paidAt, () => paidOn.slice(0, 4)),
    logoUntil: logoUntil(paidOn, order.logoMonths),
  })
  for (const benefit of kept) await markBenefitDelivered(tx, id, benefit, paidAt + DAY_MS)
}

/** Inserts a message as if it was received that long ago, answered if the sample says so. */
export async function seedMessage(
  tx: Tx,
  { receivedHoursAgo, answeredHoursAgo, ...message }: SampleFiles['messages'][number],
  now: number,
): Promise<void> {
  const receivedAt = now - receivedHoursAgo * HOUR_MS
  const id = newId(receivedAt)
  await saveMessage(tx, { ...message, id, receivedAt })
  if (answeredHoursAgo !== null) await markAnswered(tx, id, now - answeredHoursAgo * HOUR_MS)
}
