import { TERM_UNITS } from '../level-terms.ts'
import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { emailField, lineField, user } from '../fields.ts'
import { messages } from '../messages.ts'

export const termUnit = z.enum(TERM_UNITS)

/** A membership level on sale. `unitAmount` is in minor units of `currency` (docs/product-rules.md#amounts). */
export const membershipLevel = z.object({
  _id: z.string(),
  /** Words joined by underscores, shown with spaces. */
  key: z.string(),
  name: z.string(),
  description: z.string(),
  unitAmount: z.int(),
  currency: z.string(),
  interval: z.nullable(termUnit),
  intervalCount: z.nullable(z.int()),
  /** Has a term; otherwise it lasts for life. Whether a card is charged for the next one: `isChargedAutomatically`. */
  isRecurring: z.boolean(),
})

export type MembershipLevel = z.infer<typeof membershipLevel>

/** Also the connectivity check of the registration form and of the plans page. */
export const listLevels = endpoint({
  name: 'listLevels',
  method: 'GET',
  path: '/api/membership-levels',
  access: 'anyone',
  summary: 'List the membership levels on sale',
  reply: z.array(membershipLevel),
  failures: [],
})

/**
 * With a bearer token: for that account. Without: for the registration granted to this browser (docs/product-rules.md#proof-before-a-session); the
 * address must be the verified one. For a free level the response has `completed` with `token` and `user`; for a paid level it has the URL of the
 * hosted checkout.
 */
export const startCheckout = endpoint({
  name: 'startCheckout',
  method: 'POST',
  path: '/api/stripe/checkout/start',
  access: 'optional',
  summary: 'Start checkout for a level, or complete a free one',
  body: z.object({
    levelKey: lineField(messages.levelKey.required, 64),
    email: z.optional(emailField),
    firstName: z.optional(z.string().check(z.maxLength(200, messages.text.unreadable))),
    lastName: z.optional(z.string().check(z.maxLength(200, messages.text.unreadable))),
  }),
  reply: z.object({
    completed: z.boolean(),
    token: z.optional(z.string()),
    user: z.optional(user),
    sessionUrl: z.optional(z.string()),
    sessionId: z.optional(z.string()),
    reused: z.optional(z.boolean()),
  }),
  failures: [
    'PLAN_NOT_FOUND',
    'VERIFICATION_REQUIRED',
    'LIFETIME_MEMBERSHIP',
    'SUBSCRIPTION_EXISTS',
    'ALREADY_A_MEMBER',
    'REGISTRATION_EXPIRED',
    'CHECKOUT_FAILED',
  ],
})

/** The token is returned once, within 60 minutes of payment, to the browser that paid (docs/product-rules.md#return-from-payment). */
export const verifyCheckoutSession = endpoint({
  name: 'verifyCheckoutSession',
  method: 'GET',
  path: '/api/stripe/checkout/verify-session',
  access: 'optional',
  summary: 'Verify a checkout session',
  query: z.object({
    session_id: lineField(messages.payment.missingSession, 255),
    nonce: lineField(messages.payment.missingNonce, 255),
  }),
  reply: z.object({ ready: z.boolean(), token: z.optional(z.string()), user: z.optional(user) }),
  failures: ['PAYMENT_LINK_INVALID', 'PAYMENT_CHECK_FAILED'],
})

export const paymentStatus = endpoint({
  name: 'paymentStatus',
  method: 'GET',
  path: '/api/stripe/checkout/payment-status',
  access: 'anyone',
  summary: 'Check whether a checkout session is paid and its membership has started',
  query: z.object({ sessionId: lineField(messages.payment.missingSession, 255) }),
  reply: z.object({ ready: z.boolean() }),
  failures: [],
})

/** Whom a membership level is for: the answers to the one question of the page that sells memberships. */
export const AUDIENCES = ['practice', 'training', 'aims'] as const
export type Audience = (typeof AUDIENCES)[number]

/** The colors that an illustration can stand on. */
export const INKS = ['marigold', 'sage', 'blush', 'mist', 'deep', 'peach', 'sand'] as const
export type Ink = (typeof INKS)[number]

/** The illustrations that a level can have. */
export const LEVEL_SPOTS = [
  'ballot',
  'books',
  'cups',
  'horn',
  'lamp',
  'lotus',
  'mortar',
  'peach',
  'rose',
  'stethoscope',
] as const
export type LevelSpot = (typeof LEVEL_SPOTS)[number]

/** What officers add to a level's name, price and description; all of it is optional. */
export interface LevelPresentation {
  /** The level's name, compared without upper and lower case. */
  level: string
  /** Empty: for everyone. */
  audiences: Audience[]
  benefits: string[]
  /** Below the button, such as how the membership renews. */
  note: string | null
  spot: LevelSpot | null
  ink: Ink | null
  /** Ringed: the one to look at first for its audience. */
  isFeatured: boolean
}

/** What the page `/become-a-member` shows besides the levels. */
export interface JoinPage {
  levels: LevelPresentation[]
  /** A sentence for each answer, beside its levels. */
  asides: { audience: Audience; title: string; text: string | null }[]
  /** A member's words. */
  voice: { quote: string; name: string; detail: string | null; portrait: string | null } | null
  questions: { question: string; /** Sanitized HTML. */ answer: string }[]
  /** What visitors answer to find the levels for them. */
  choices: { audience: Audience; title: string; text: string }[]
}
