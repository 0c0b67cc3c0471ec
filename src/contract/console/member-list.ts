import * as z from 'zod/mini'
import { isDay } from '../dates/days.ts'
import { endpoint, fileEndpoint } from '../endpoint.ts'
import { lineField } from '../fields.ts'
import { messages } from '../messages.ts'

/** The member list of the console: search, filters, order, pages and saved views. */

/** The status of a person's membership, or why there is none. */
export const MEMBER_STATES = [
  'ACTIVE',
  'PAST_DUE',
  'CANCELED',
  'EXPIRED',
  'INCOMPLETE',
  'NONE',
  'DISABLED',
  'LEFT',
] as const
export const memberState = z.enum(MEMBER_STATES)
export type MemberState = z.infer<typeof memberState>

export const MEMBER_STATE_NAMES: Record<MemberState, string> = {
  ACTIVE: 'Active',
  PAST_DUE: 'Payment failed',
  CANCELED: 'Canceled',
  EXPIRED: 'Lapsed',
  INCOMPLETE: 'Not paid yet',
  NONE: 'No membership',
  DISABLED: 'Disabled',
  LEFT: 'Account deleted',
}

export const MEMBER_SORTS = ['name', 'joined', 'ends', 'level'] as const
export type MemberSort = (typeof MEMBER_SORTS)[number]

/** Members on one page of the list. */
export const MEMBERS_PER_PAGE = 50

const wholeNumber = (max: number) =>
  z.string().check(
    z.regex(/^\d{1,6}$/, messages.text.unreadable),
    z.refine((text) => Number(text) <= max, messages.text.unreadable),
  )
const dayText = z.string().check(z.refine(isDay, messages.text.unreadable))

const choice = {
  /** Parts of the name, address and username; each word must match. */
  q: z.optional(lineField(messages.text.unreadable, 100)),
  status: z.optional(memberState),
  level: z.optional(lineField(messages.text.unreadable, 64)),
  /** Memberships that renew or end within this many days. */
  ending: z.optional(wholeNumber(3_660)),
  credentials: z.optional(z.enum(['waiting', 'approved', 'declined'])),
  /** Days, both inclusive. */
  joinedFrom: z.optional(dayText),
  joinedTo: z.optional(dayText),
  order: z.optional(z.enum(MEMBER_SORTS)),
  descending: z.optional(z.literal('yes')),
}
export const memberListQuery = z.object(choice)
export type MemberListQuery = z.infer<typeof memberListQuery>

export const listedMember = z.object({
  id: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  username: z.string(),
  state: memberState,
  /** The key of the level; null without a membership. */
  level: z.nullable(z.string()),
  joinedAt: z.string(),
  /** When it renews, ends or ended; null for lifetime and without a membership. */
  endsAt: z.nullable(z.string()),
  credentials: z.nullable(z.enum(['waiting', 'approved', 'declined'])),
  /** Why the current term is complimentary; omitted if it was paid. */
  complimentary: z.optional(z.string()),
})
export type ListedMember = z.infer<typeof listedMember>

export const listMembers = endpoint({
  name: 'listMembers',
  method: 'GET',
  path: '/api/console/members',
  access: 'officer',
  permission: 'members.look',
  summary: 'List members by search, filters and order, in pages',
  query: z.object({ ...choice, page: z.optional(wholeNumber(100_000)) }),
  reply: z.object({
    members: z.array(listedMember),
    /** Total on all pages. */
    total: z.int(),
    /** If no one was found: people with similar names. */
    suggestions: z.array(z.object({ id: z.string(), firstName: z.string(), lastName: z.string() })),
    levels: z.array(z.object({ key: z.string(), name: z.string() })),
    mayExport: z.boolean(),
  }),
  failures: [],
})

/** Exports everyone's addresses: requires a second factor and is recorded in the audit log. */
export const exportMembers = fileEndpoint({
  name: 'exportMembers',
  method: 'GET',
  path: '/api/console/members/export',
  access: 'officer',
  permission: 'members.change',
  requiresFreshFactor: true,
  summary: 'Export the matching members as CSV, protected against formulas',
  query: memberListQuery,
  media: 'text/csv',
  failures: [],
})

const memberView = z.object({
  id: z.string(),
  name: z.string(),
  /** As in the query string, without the question mark. */
  query: z.string(),
})
export type MemberView = z.infer<typeof memberView>
const viewList = z.object({ views: z.array(memberView) })

export const listMemberViews = endpoint({
  name: 'listMemberViews',
  method: 'GET',
  path: '/api/console/member-views',
  access: 'officer',
  permission: 'members.look',
  summary: 'List the caller’s saved views of the member list',
  reply: viewList,
  failures: [],
})

export const saveMemberView = endpoint({
  name: 'keepMemberView',
  method: 'POST',
  path: '/api/console/member-views',
  access: 'officer',
  permission: 'members.look',
  summary: 'Save a view of the member list under a name, replacing one with the same name',
  body: z.object({
    name: lineField('Please give the view a name', 60),
    query: z.string().check(z.maxLength(500, messages.text.unreadable)),
  }),
  reply: viewList,
  status: 201,
  failures: [],
})

export const deleteMemberView = endpoint({
  name: 'dropMemberView',
  method: 'DELETE',
  path: '/api/console/member-views/:id',
  access: 'officer',
  permission: 'members.look',
  summary: 'Delete a saved view',
  params: z.object({ id: lineField(messages.text.unreadable, 64) }),
  reply: viewList,
  failures: [],
})
