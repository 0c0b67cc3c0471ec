import * as z from 'zod/mini'
import type { SponsorTier } from '#contract/public/sponsors.ts'
import { parseCents, formatDollars, sponsorFields } from '#contract/public/sponsors.ts'
import { validate, type FormValues, type FieldErrors } from '#web/forms/validate.rules.ts'

export type SponsorField = 'name' | 'email' | 'company' | 'amount' | 'phone' | 'message'

const withoutAmount = z.omit(sponsorFields, { amount: true })

/** The amount is required only for the custom tier. */
export function checkSponsor(tier: SponsorTier, values: FormValues<SponsorField>): FieldErrors<SponsorField> {
  return validate(tier.unitAmount === null ? sponsorFields : withoutAmount, values)
}

/** The tier and amount to send: the tier's price, or the typed amount with a name that includes it. */
export function toTierPrice({ name, unitAmount }: SponsorTier, typed: string): { tierName: string; amount: number } {
  if (unitAmount !== null) return { tierName: name, amount: Number(formatDollars(unitAmount)) }
  const dollars = formatDollars(parseCents(typed) ?? 0)
  return { tierName: `Custom Amount - $${dollars}`, amount: Number(dollars) }
}
