import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { membershipLevel } from './membership.ts'

/** What a person has paid for (docs/product-rules.md#membership-status); an account may be active with any of these. */
export const membershipStatus = z.enum(['ACTIVE', 'PAST_DUE', 'CANCELED', 'EXPIRED', 'INCOMPLETE'])
export type MembershipStatus = z.infer<typeof membershipStatus>

/** A membership as its holder sees it. Instants are ISO 8601; null when there is none. */
export const subscription = z.object({
  kind: z.enum(['ONE_TIME', 'RECURRING']),
  status: membershipStatus,
  startDate: z.string(),
  nextBillDate: z.nullable(z.string()),
  cancelDate: z.nullable(z.string()),
  membershipLevel,
  /** How it goes on after its end: charged by itself, stopped (and may be resumed), renewed by hand, or not at all. */
  renewal: z.optional(z.enum(['automatic', 'stopped', 'by-hand', 'none'])),
})
export type Subscription = z.infer<typeof subscription>

export const profile = z.object({
  _id: z.string(),
  username: z.string(),
  email: z.string(),
  name: z.object({ first: z.string(), last: z.string() }),
  createdAt: z.string(),
})
export type Profile = z.infer<typeof profile>

export const getProfile = endpoint({
  name: 'getProfile',
  method: 'GET',
  path: '/api/account/profile',
  access: 'member',
  inView: 'members.look',
  summary: "The caller's profile and membership",
  reply: z.object({ profile, subscription: z.nullable(subscription) }),
  failures: [],
})
