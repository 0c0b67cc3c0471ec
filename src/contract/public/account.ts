import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { membershipLevel } from './membership.ts'

/** Status of a membership (docs/product-rules.md#membership-status), independent of whether the account is active. */
export const membershipStatus = z.enum(['ACTIVE', 'PAST_DUE', 'CANCELED', 'EXPIRED', 'INCOMPLETE'])
export type MembershipStatus = z.infer<typeof membershipStatus>

/** A membership as its owner sees it. Instants are ISO 8601; null without a membership. */
export const subscription = z.object({
  kind: z.enum(['ONE_TIME', 'RECURRING']),
  status: membershipStatus,
  startDate: z.string(),
  nextBillDate: z.nullable(z.string()),
  cancelDate: z.nullable(z.string()),
  membershipLevel,
  /** What happens at the end of the term: automatic renewal, canceled renewal (can be resumed), manual renewal, or none. */
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
