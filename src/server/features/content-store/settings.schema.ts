import * as z from 'zod/mini'
import { accountNameMax } from '#contract/console/money/year.ts'
import { WEEKDAYS } from '#contract/public/clinic.ts'
import { isTimeZone } from '#contract/dates/dates.ts'
import { HEADED_PAGES, type HeadedPage } from '#contract/public/association.ts'
import { isDay } from '#contract/dates/days.ts'
import { webAddressField } from '#contract/fields.ts'
import { PARTS, type Part } from '#contract/parts.ts'
import type { Association } from '#contract/public/association.ts'

const DAY_SECONDS = 86_400

/** A rate limit: at most `limit` calls per window. */
const limit = z.object({
  limit: z.int().check(z.gte(1), z.lte(100_000)),
  windowSeconds: z.int().check(z.gte(1), z.lte(7 * DAY_SECONDS)),
})

const clockTime = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/))

/** A day of every year, so never February 29. */
const monthAndDay = z
  .string()
  .check(z.refine((text) => isDay(`2027-${text}`), 'Enter the month and day in digits, such as 07-01'))

const accountName = z.string().check(z.minLength(1), z.maxLength(accountNameMax))

/** The books: when the fiscal year begins, and what the accountant calls the accounts. */
const accounting = z.object({
  /** A month; 1 is January. */
  fiscalYearBeginsIn: z.int().check(z.gte(1), z.lte(12)),
  accounts: z.object({
    bank: accountName,
    clearing: accountName,
    undeposited: accountName,
    dues: accountName,
    seats: accountName,
    sponsorships: accountName,
    fees: accountName,
    disputes: accountName,
  }),
})

/** Currencies with two decimals, which amounts everywhere are stored in. */
export const CURRENCIES = ['usd', 'aud', 'cad', 'chf', 'eur', 'gbp', 'inr', 'nzd', 'sgd', 'zar'] as const

const region = z.object({
  /** ISO 3166, such as US. */
  country: z.string().check(z.regex(/^[A-Z]{2}$/, 'Enter the two letters of the country, such as US')),
  currency: z.enum(CURRENCIES),
  timeZone: z.string().check(z.refine(isTimeZone, 'Choose a time zone')),
})

const writtenHead = z._default(
  z.object({ lead: z._default(z.string(), ''), description: z._default(z.string(), '') }),
  {
    lead: '',
    description: '',
  },
)

const pageHeads = z.object(
  Object.fromEntries(HEADED_PAGES.map((page) => [page, writtenHead])) as Record<HeadedPage, typeof writtenHead>,
)

const parts = z.object(
  Object.fromEntries(PARTS.map((part) => [part, z._default(z.boolean(), true)])) as Record<
    Part,
    z.ZodMiniDefault<z.ZodMiniBoolean>
  >,
)

/** Days before a meeting between which its notice is sent: the stricter of the law and the bylaws. */
const notices = z
  .object({
    annualDays: z.int().check(z.gte(0), z.lte(365)),
    specialDays: z.int().check(z.gte(0), z.lte(365)),
    maxDays: z.int().check(z.gte(0), z.lte(365)),
  })
  .check(
    z.refine(({ annualDays, specialDays, maxDays }) => Math.max(annualDays, specialDays) <= maxDays, {
      path: ['maxDays'],
      error: 'The first day for a notice must not be after the last one',
    }),
  )

/** The public page of the directory. What its people are called is the association's to say. */
const publicDirectory = z.object({
  isOn: z._default(z.boolean(), false),
  title: z._default(z.string().check(z.minLength(1)), 'Find a member'),
  lead: z._default(z.string(), ''),
  description: z._default(z.string(), ''),
  /** No referral and no endorsement. */
  caution: z._default(z.string(), 'Being listed here is no recommendation by the association.'),
  /** A type of schema.org, such as Person. */
  schemaType: z._default(z.string().check(z.regex(/^[A-Z][A-Za-z]{1,40}$/)), 'Person'),
  /** A further address of the page, without the slash, such as find-a-member; empty: none. */
  slug: z._default(z.string().check(z.regex(/^(?:[a-z0-9]+(?:-[a-z0-9]+)*)?$/)), ''),
})

/** Settings that officers can change: one row of `setting` per top-level key, seeded from `content/profiles/neutral/settings.yaml`. */
export const settingsSchema = z.object({
  association: z.object({
    name: z.string().check(z.minLength(1)),
    shortName: z.string().check(z.minLength(1)),
    /** null: not told. */
    foundedYear: z._default(z.nullable(z.int().check(z.gte(1800), z.lte(2199))), null),
    email: z.email(),
    address: z.object({
      street: z.string(),
      suite: z._default(z.string(), ''),
      city: z.string(),
      region: z._default(z.string(), ''),
      postalCode: z._default(z.string(), ''),
    }),
    mapLink: webAddressField,
    /** The address of a map that is shown in the footer; empty: none. */
    mapEmbed: z._default(z.union([z.literal(''), webAddressField]), ''),
    socialLinks: z.array(z.object({ label: z.string(), url: webAddressField })),
    // These have defaults, because existing sites do not store them yet.
    about: z._default(z.string(), ''),
    replyTime: z._default(z.string().check(z.minLength(1)), '24-48 hours'),
    caution: z._default(
      z.object({
        title: z._default(z.string(), ''),
        text: z._default(z.string(), ''),
        emergencyNumber: z._default(z.string().check(z.regex(/^[+0-9 -]*$/, 'Use digits')), ''),
      }),
      { title: '', text: '', emergencyNumber: '' },
    ),
    newsletter: z._default(
      z.object({ title: z.string().check(z.minLength(1)), promise: z.string().check(z.minLength(1)) }),
      { title: 'Our newsletter', promise: 'Events and news, a few emails a month.' },
    ),
  }),
  // Sites from before this setting are in the eastern United States.
  region: z._default(region, { country: 'US', currency: 'usd', timeZone: 'America/New_York' }),
  // Has a default, because existing sites do not store it yet.
  pageHeads: z._default(pageHeads, () => z.parse(pageHeads, {})),
  // Has a default, because existing sites do not store it yet.
  parts: z._default(parts, () => z.parse(parts, {})),
  clinic: z.object({
    weekday: z.enum(WEEKDAYS),
    /** Which occurrences of the weekday in a month. */
    weeks: z.array(z.int().check(z.gte(1), z.lte(5))).check(z.minLength(1)),
    startsAt: clockTime,
    endsAt: clockTime,
    place: z.string().check(z.minLength(1)),
    mapLink: webAddressField,
  }),
  // Has a default, because existing sites do not store it yet.
  year: z._default(z.object({ beginsOn: monthAndDay }), { beginsOn: '07-01' }),
  membership: z.object({
    graceDays: z.int().check(z.gte(0), z.lte(90)),
    /** Months until approved credentials are rechecked; 0: never. Has a default, because existing sites do not store it yet. */
    recheckMonths: z._default(z.int().check(z.gte(0), z.lte(120)), 12),
  }),
  // Has a default, because existing sites do not store it yet.
  accounting: z._default(accounting, {
    fiscalYearBeginsIn: 1,
    accounts: {
      bank: 'Checking',
      clearing: 'Stripe',
      undeposited: 'Undeposited Funds',
      dues: 'Membership Dues',
      seats: 'Event Income',
      sponsorships: 'Sponsorship Income',
      fees: 'Merchant Fees',
      disputes: 'Disputed Payments',
    },
  }),
  // Has a default, because existing sites do not store it yet.
  publicDirectory: z._default(publicDirectory, () => z.parse(publicDirectory, {})),
  // Has a default, because existing sites do not store it yet.
  notices: z._default(notices, { annualDays: 30, specialDays: 14, maxDays: 60 }),
  session: z.object({ days: z.int().check(z.gte(1), z.lte(90)) }),
  // The last day to apply each year.
  scholarships: z._default(z.object({ deadline: monthAndDay }), { deadline: '11-30' }),
  sponsorship: z.object({
    logoMonths: z.int().check(z.gte(1), z.lte(60)),
    taxWording: z.string().check(z.minLength(1)),
  }),
  newsletter: z.object({
    /** The archive shows campaigns sent after this day. */
    archiveAfter: z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/, 'use a date such as 2025-08-27, in quotes')),
    /** Parallel connections to the mail server while a newsletter is sent. */
    connections: z.int().check(z.gte(1), z.lte(50)),
    /** How many hard or soft bounces suppress an address. */
    hardBounces: z.int().check(z.gte(1), z.lte(20)),
    softBounces: z.int().check(z.gte(1), z.lte(50)),
  }),
  rateLimits: z.object({
    login: limit,
    loginWrongPassword: limit,
    secondFactorWrong: z._default(limit, { limit: 10, windowSeconds: 900 }),
    register: limit,
    registerPerEmail: limit,
    verifyEmail: limit,
    verificationCodePerEmail: limit,
    resetPassword: limit,
    resendVerification: limit,
    forgotPassword: limit,
    lettersPerEmail: limit,
    startCheckout: limit,
    openPortal: limit,
    verifyCheckoutSession: limit,
    paymentStatus: limit,
    sendMessage: limit,
    sendMessageHourly: limit,
    acknowledgementsPerEmail: limit,
    sponsorCheckout: limit,
    sponsorCheckoutWithoutForm: limit,
    sponsorCheckoutPerEmail: limit,
    sponsorCheckoutUnproven: limit,
    sponsorCheckoutOverall: limit,
    sponsorRefusals: limit,
    subscribe: limit,
    unsubscribe: limit,
    confirmSubscription: limit,
    newsletterLettersPerEmail: limit,
    leaveNewsletter: limit,
    // These have defaults, because existing sites do not store them yet.
    sendRsvp: z._default(limit, { limit: 30, windowSeconds: 600 }),
    changeRsvp: z._default(limit, { limit: 30, windowSeconds: 600 }),
    rsvpLettersPerEmail: z._default(limit, { limit: 5, windowSeconds: 3_600 }),
    rsvpSeatsHeld: z._default(limit, { limit: 30, windowSeconds: 1_800 }),
    rsvpSeatsHeldOverall: z._default(limit, { limit: 600, windowSeconds: 3_600 }),
    rsvpCheckout: z._default(limit, { limit: 30, windowSeconds: 3_600 }),
    rsvpCheckoutPerEmail: z._default(limit, { limit: 5, windowSeconds: 3_600 }),
    rsvpCheckoutOverall: z._default(limit, { limit: 600, windowSeconds: 3_600 }),
    rsvpRefusals: z._default(limit, { limit: 50, windowSeconds: 3_600 }),
    answerRollCall: z._default(limit, { limit: 60, windowSeconds: 3_600 }),
    unsubscribeFromTopic: z._default(limit, { limit: 60, windowSeconds: 3_600 }),
    // What one member can learn from the directory in a day (decision record 58).
    directorySearches: z._default(limit, { limit: 200, windowSeconds: DAY_SECONDS }),
    directoryPeople: z._default(limit, { limit: 400, windowSeconds: DAY_SECONDS }),
    directoryEntries: z._default(limit, { limit: 60, windowSeconds: DAY_SECONDS }),
    directoryMessages: z._default(limit, { limit: 10, windowSeconds: DAY_SECONDS }),
    // Codes of no card that one officer scans.
    unknownCards: z._default(limit, { limit: 60, windowSeconds: 3_600 }),
  }),
})

type StoredSettings = z.infer<typeof settingsSchema>
/** With the brand, which is a record of its own (`kinds/brand.kinds.ts`). */
export type Settings = StoredSettings & { association: Pick<Association, 'brand'> }
