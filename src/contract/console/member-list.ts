import * as z from 'zod/mini'
import { isDay } from './days.ts'
import { endpoint, fileEndpoint } from './endpoint.ts'
import { lineField } from './fields.ts'
import { messages } from './messages.ts'

/** The list of members in the console: search, filters, order, pages, and the views an officer keeps. */

/** What somebody is to the association: the status of a membership, or why there is none. */
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

export const MEMBER_ORDERS = ['name', 'joined', 'ends', 'level'] as const
export type MemberOrder = (typeof MEMBER_ORDERS)[number]

/** Members on one page of the list. */
export const MEMBERS_A_PAGE = 50

const wholeNumber = (max: number) =>
  z.string().check(
    z.regex(/^\d{1,6}$/, messages.text.unreadable),
    z.refine((text) => Number(text) <= max, messages.text.unreadable),
  )
const dayText = z.string().check(z.refine(isDay, messages.text.unreadable))

const choice = {
  /** Parts of name, address and username; each word has to be found. */
  q: z.optional(lineField(messages.text.unreadable, 100)),
  status: z.optional(memberState),
  level: z.optional(lineField(messages.text.unreadable, 64)),
  /** Memberships that renew or end within so many days. */
  ending: z.optional(wholeNumber(3_660)),
  credentials: z.optional(z.enum(['waiting', 'approved', 'declined'])),
  /** Days, both included. */
  joinedFrom: z.optional(dayText),
  joinedTo: z.optional(dayText),
  order: z.optional(z.enum(MEMBER_ORDERS)),
  descending: z.optional(z.literal('yes')),
}
export const memberChoice = z.object(choice)
export type MemberChoice = z.infer<typeof memberChoice>

export const listedMember = z.object({
  id: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  username: z.string(),
  state: memberState,
  /** The level's key; null without a membership. */
  level: z.nullable(z.string()),
  joinedAt: z.string(),
  /** When it renews, ends or ended; null for life and for none. */
  endsAt: z.nullable(z.string()),
  credentials: z.nullable(z.enum(['waiting', 'approved', 'declined'])),
  /** Why the present term costs nothing; left out where it was paid for. */
  complimentary: z.optional(z.string()),
})
export type ListedMember = z.infer<typeof listedMember>

export const listMembers = endpoint({
  name: 'listMembers',
  method: 'GET',
  path: '/api/console/members',
  access: 'officer',
  permission: 'members.look',
  summary: 'Members by search, filters and order, a page at a time',
  query: z.object({ ...choice, page: z.optional(wholeNumber(100_000)) }),
  reply: z.object({
    members: z.array(listedMember),
    /** Of all pages. */
    total: z.int(),
    /** Where nobody was found: whose names come near what was typed. */
    suggestions: z.array(z.object({ id: z.string(), firstName: z.string(), lastName: z.string() })),
    levels: z.array(z.object({ key: z.string(), name: z.string() })),
    mayExport: z.boolean(),
  }),
  failures: [],
})

/** It leaves the site with everybody's addresses: a code is asked for, and the history tells of it. */
export const exportMembers = fileEndpoint({
  name: 'exportMembers',
  method: 'GET',
  path: '/api/console/members/export',
  access: 'officer',
  permission: 'members.change',
  asksAgain: true,
  summary: 'The chosen members as CSV, in cells no spreadsheet runs',
  query: memberChoice,
  media: 'text/csv',
  failures: [],
})

const memberView = z.object({
  id: z.string(),
  name: z.string(),
  /** As it stands in the address, without the question mark. */
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
  summary: 'The views of the member list that the caller keeps',
  reply: viewList,
  failures: [],
})

export const keepMemberView = endpoint({
  name: 'keepMemberView',
  method: 'POST',
  path: '/api/console/member-views',
  access: 'officer',
  permission: 'members.look',
  summary: 'Keeps a view of the member list under a name; one of this name is replaced',
  body: z.object({
    name: lineField('Please give the view a name', 60),
    query: z.string().check(z.maxLength(500, messages.text.unreadable)),
  }),
  reply: viewList,
  status: 201,
  failures: [],
})

export const dropMemberView = endpoint({
  name: 'dropMemberView',
  method: 'DELETE',
  path: '/api/console/member-views/:id',
  access: 'officer',
  permission: 'members.look',
  summary: 'Forgets a view',
  params: z.object({ id: lineField(messages.text.unreadable, 64) }),
  reply: viewList,
  failures: [],
})
