import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { emailField, lineField, optionalLineField, optionalTextField, recaptchaTokenField } from './fields.ts'
import { messages } from './messages.ts'

/** A sponsor on the wall of logos. */
export const sponsor = z.object({
  id: z.string(),
  name: z.string(),
  /** A path of this site, or an https address. */
  logo: z.string(),
  website: z.nullable(z.string()),
})

export type Sponsor = z.infer<typeof sponsor>

export const listSponsors = endpoint({
  name: 'listSponsors',
  method: 'GET',
  path: '/api/sponsors',
  access: 'anyone',
  summary: 'The sponsors whose logos are shown, in their order',
  reply: z.array(sponsor),
  failures: [],
})

/** Not among the other limits, which every page loads. */
export const sponsorLimits = {
  nameMax: 100,
  companyMax: 150,
  phoneMax: 40,
  messageMax: 2_000,
  tierNameMax: 100,
  minCents: 100,
  maxCents: 10_000_000,
  /** A form sent sooner than this after its token was fetched was not filled in by a person. */
  formTokenMinAgeMs: 2_000,
} as const

const AMOUNT = /^(0|[1-9]\d{0,8})(?:\.(\d{1,2}))?$/

/**
 * Cents of an amount in dollars, taken from its digits and never by arithmetic with fractions; null when it is no amount or outside 1.00 to
 * 100,000.00 (docs/product-rules.md#price-is-the-servers).
 */
export function centsOf(dollars: string): number | null {
  const [, whole, fraction = ''] = AMOUNT.exec(dollars.trim()) ?? []
  if (whole === undefined) return null
  const cents = Number(whole) * 100 + Number(fraction.padEnd(2, '0'))
  return cents >= sponsorLimits.minCents && cents <= sponsorLimits.maxCents ? cents : null
}

/** '1234.50': an amount of cents as requests carry it. */
export function dollarsOf(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
}

const missingOrInvalid = {
  error: ({ input }: { input?: unknown }) =>
    input === undefined || input === null ? messages.sponsor.amount.required : messages.sponsor.amount.invalid,
}

/** A number of dollars, or its digits; comes out in cents. */
const amountField = z.pipe(
  z.pipe(
    z.union([z.string(missingOrInvalid), z.number(missingOrInvalid)], missingOrInvalid),
    z.transform((amount: string | number) => String(amount)),
  ),
  z.pipe(
    z.string().check(
      z.trim(),
      z.minLength(1, messages.sponsor.amount.required),
      z.refine((amount) => amount === '' || centsOf(amount) !== null, messages.sponsor.amount.invalid),
    ),
    z.transform((amount: string) => centsOf(amount) ?? 0),
  ),
)

/** What the person types, in the order the sentences are reported. */
export const sponsorFields = z.object({
  name: lineField(messages.sponsor.name, sponsorLimits.nameMax),
  email: emailField,
  company: lineField(messages.sponsor.company, sponsorLimits.companyMax),
  phone: optionalLineField(sponsorLimits.phoneMax),
  message: optionalTextField(messages.sponsor.message.long, sponsorLimits.messageMax),
  amount: amountField,
})

export const sponsorCheckoutBody = z.extend(sponsorFields, {
  tierName: lineField(messages.sponsor.tier, sponsorLimits.tierNameMax),
  recaptchaToken: recaptchaTokenField,
  formToken: z.optional(z.string().check(z.maxLength(200, messages.text.unreadable))),
  /** Shown to nobody: whoever fills it in reads forms instead of looking at them. */
  homepage: z.optional(z.string().check(z.maxLength(2_000, messages.text.unreadable))),
})

/** The server owns the tiers: a named one has its price, an amount of one's own goes under a name that begins 'Custom Amount' (docs/product-rules.md#price-is-the-servers). */
export const startSponsorship = endpoint({
  name: 'startSponsorship',
  method: 'POST',
  path: '/api/sponsor/checkout/sponsor',
  access: 'anyone',
  summary: 'Begin paying for a sponsorship',
  body: sponsorCheckoutBody,
  reply: z.object({ sessionUrl: z.string() }),
  failures: ['BOT_CHECK_FAILED', 'FORM_TOKEN_INVALID', 'CHECKOUT_FAILED'],
})

/** Fetched when the form opens: who sends it back pays under the wider limit (docs/product-rules.md#card-testing). */
export const sponsorFormToken = endpoint({
  name: 'sponsorFormToken',
  method: 'GET',
  path: '/api/sponsor/form-token',
  access: 'anyone',
  summary: 'A token for the sponsor form',
  reply: z.object({ formToken: z.string() }),
  failures: [],
})

/** A sponsorship tier as the page shows it. */
export interface SponsorTier {
  name: string
  amountLabel: string
  /** Cents; null where the sponsor names the amount. */
  unitAmount: number | null
  benefits: string[]
}
