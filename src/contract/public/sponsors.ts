import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { emailField, lineField, optionalLineField, optionalTextField, recaptchaTokenField } from '../fields.ts'
import { messages } from '../messages.ts'

/** A sponsor on the logo wall. */
export const sponsor = z.object({
  id: z.string(),
  name: z.string(),
  /** A path of this site, or an https URL. */
  logo: z.string(),
  website: z.nullable(z.string()),
})

export type Sponsor = z.infer<typeof sponsor>

export const listSponsors = endpoint({
  name: 'listSponsors',
  method: 'GET',
  path: '/api/sponsors',
  access: 'anyone',
  summary: 'List the sponsors whose logos are shown, in display order',
  reply: z.array(sponsor),
  failures: [],
})

/** Kept apart from the other limits, which every page loads. */
export const sponsorLimits = {
  nameMax: 100,
  companyMax: 150,
  phoneMax: 40,
  messageMax: 2_000,
  tierNameMax: 100,
  minCents: 100,
  maxCents: 10_000_000,
  /** A form sent sooner than this after its token was fetched was filled in by a bot. */
  formTokenMinAgeMs: 2_000,
} as const

const AMOUNT = /^(0|[1-9]\d{0,8})(?:\.(\d{1,2}))?$/

/**
 * Parses an amount in dollars to cents, by its digits and without floating-point arithmetic; null if it is invalid or outside 1.00 to 100,000.00
 * (docs/product-rules.md#price-is-the-servers).
 */
export function parseCents(dollars: string): number | null {
  const [, whole, fraction = ''] = AMOUNT.exec(dollars.trim()) ?? []
  if (whole === undefined) return null
  const cents = Number(whole) * 100 + Number(fraction.padEnd(2, '0'))
  return cents >= sponsorLimits.minCents && cents <= sponsorLimits.maxCents ? cents : null
}

/** '1234.50': an amount of cents as sent in requests. */
export function formatDollars(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
}

const missingOrInvalid = {
  error: ({ input }: { input?: unknown }) =>
    input === undefined || input === null ? messages.sponsor.amount.required : messages.sponsor.amount.invalid,
}

/** A number of dollars, or its digits; parsed to cents. */
const amountField = z.pipe(
  z.pipe(
    z.union([z.string(missingOrInvalid), z.number(missingOrInvalid)], missingOrInvalid),
    z.transform((amount: string | number) => String(amount)),
  ),
  z.pipe(
    z.string().check(
      z.trim(),
      z.minLength(1, messages.sponsor.amount.required),
      z.refine((amount) => amount === '' || parseCents(amount) !== null, messages.sponsor.amount.invalid),
    ),
    z.transform((amount: string) => parseCents(amount) ?? 0),
  ),
)

/** The visible fields, in the order in which their messages are reported. */
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
  /** A hidden field: only bots fill it in. */
  homepage: z.optional(z.string().check(z.maxLength(2_000, messages.text.unreadable))),
})

/**
 * The server owns the tiers: a named tier has its fixed price, and a custom amount has a name that begins with 'Custom Amount'
 * (docs/product-rules.md#price-is-the-servers).
 */
export const startSponsorship = endpoint({
  name: 'startSponsorship',
  method: 'POST',
  path: '/api/sponsor/checkout/sponsor',
  access: 'anyone',
  summary: 'Start checkout for a sponsorship',
  body: sponsorCheckoutBody,
  reply: z.object({ sessionUrl: z.string() }),
  failures: ['BOT_CHECK_FAILED', 'FORM_TOKEN_INVALID', 'CHECKOUT_FAILED'],
})

/** Fetched when the form opens. Requests that send it back get the higher rate limit (docs/product-rules.md#card-testing). */
export const sponsorFormToken = endpoint({
  name: 'sponsorFormToken',
  method: 'GET',
  path: '/api/sponsor/form-token',
  access: 'anyone',
  summary: 'Get a token for the sponsor form',
  reply: z.object({ formToken: z.string() }),
  failures: [],
})

/** A sponsorship tier as shown on the page. */
export interface SponsorTier {
  name: string
  amountLabel: string
  /** Cents; null if the sponsor chooses the amount. */
  unitAmount: number | null
  benefits: string[]
}

/** What the page about sponsorships shows besides the tiers; officers edit it. */
export interface SponsorPage {
  /** The name of a tier. */
  recommended: string | null
  impactTitle: string | null
  /** What sponsorships paid for, each with a number or an amount. */
  impact: { figure: string; text: string }[]
  quote: { text: string; name: string; detail: string | null } | null
}
