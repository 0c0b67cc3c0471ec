import { dayOf } from '#contract/dates.ts'
import { centsOf } from '#contract/sponsors.ts'
import type { Tx } from '#server/db/database.ts'
import { newId } from '#server/platform/ids.ts'
import { hashToken } from '#server/platform/secrets.ts'
import { markAnswered, saveMessage } from '../contact/contact-message.repository.ts'
import { receiptNumber } from '../membership/payment.repository.ts'
import type { Tier } from '../sponsors/sponsor.repository.ts'
import { logoUntil } from '../sponsors/sponsor-settlement.service.ts'
import {
  closeSponsorship,
  markPromiseDone,
  markSponsorshipPaid,
  reserveSponsorship,
} from '../sponsors/sponsorship.repository.ts'
import { priceSponsorship } from '../sponsors/sponsorship.rules.ts'
import type { SampleFiles } from './content-schemas.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

/** A sponsorship as it would stand had it been ordered so long ago. @throws Error for an amount that its tier does not cost */
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
  const priced = priceSponsorship({ tierName, amount: centsOf(String(sample.amount)) ?? 0 }, tiers)
  if (typeof priced === 'string') throw new Error(`The sample sponsorship of ${company} has no price: ${priced}`)
  const { hasLogo, ...promised } = priced
  const createdAt = now - sample.orderedDaysAgo * DAY_MS
  const id = newId(createdAt)
  const order = { id, name, email, company, phone, message, ...promised, logoMonths: hasLogo ? logoMonths : null }
  const times = { createdAt, expiresAt: createdAt + HOUR_MS / 2 }
  await reserveSponsorship(
    tx,
    { ...order, ...times, currency: 'usd', nonceHash: hashToken(id) },
    { openKey: id, leasedUntil: createdAt },
  )
  if (state !== 'paid') return closeSponsorship(tx, id, state)
  const paidAt = createdAt + 2 * MINUTE_MS
  const paidOn = dayOf(paidAt, timeZone)
  await markSponsorshipPaid(tx, id, {
    stripeSessionId: `sample:${id}`,
    paymentReference: null,
    paidAt,
    receiptNumber: receiptNumber(id, paidAt, () => paidOn.slice(0, 4)),
    logoUntil: logoUntil(paidOn, order.logoMonths),
    now: paidAt,
  })
  for (const promise of kept) await markPromiseDone(tx, id, promise, paidAt + DAY_MS)
}

/** A message that came so long ago, and was answered if the sample says so. */
export async function seedMessage(
  tx: Tx,
  { receivedHoursAgo, answeredHoursAgo, ...words }: SampleFiles['messages'][number],
  now: number,
): Promise<void> {
  const receivedAt = now - receivedHoursAgo * HOUR_MS
  const id = newId(receivedAt)
  await saveMessage(tx, { ...words, id, receivedAt })
  if (answeredHoursAgo !== null) await markAnswered(tx, id, now - answeredHoursAgo * HOUR_MS)
}
