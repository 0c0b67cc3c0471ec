import * as z from 'zod/mini'
import type { SponsorTier } from '#contract/sponsors.ts'
import { centsOf, dollarsOf, sponsorFields } from '#contract/sponsors.ts'
import { problemsOf, type FormValues, type Problems } from '#web/features/forms/problems.rules.ts'

export type SponsorField = 'name' | 'email' | 'company' | 'amount' | 'phone' | 'message'

const withoutAmount = z.omit(sponsorFields, { amount: true })

/** The amount is asked for only where the sponsor names it. */
export function checkSponsor(tier: SponsorTier, values: FormValues<SponsorField>): Problems<SponsorField> {
  return problemsOf(tier.unitAmount === null ? sponsorFields : withoutAmount, values)
}

/** What is sent for a tier: its price, or the amount typed under the name that says it. */
export function priceOf({ name, unitAmount }: SponsorTier, typed: string): { tierName: string; amount: number } {
  if (unitAmount !== null) return { tierName: name, amount: Number(dollarsOf(unitAmount)) }
  const dollars = dollarsOf(centsOf(typed) ?? 0)
  return { tierName: `Custom Amount - $${dollars}`, amount: Number(dollars) }
}
