import * as z from 'zod/mini'
import { isDay } from '../dates/days.ts'
import { endpoint, fileEndpoint } from '../endpoint.ts'
import { lineField } from '../fields.ts'
import { recordField } from '../member-record/record-schema.ts'
import { messages } from '../messages.ts'
import { recordColumnId } from './people/record-columns.ts'
import { recordFilterText } from './people/record-filter.ts'

/** The member list of the console: search, filters, order, columns, pages and counts. */

/** The status of a person's membership, or why there is none. */
export const MEMBER_STATES = [
  'ACTIVE',
  'PAST_DUE',
  'CANCELED',
  'EXPIRED',
  'INCOMPLETE',
  'NONE',
  'DISABLED',
  'DECEASED',
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
  DECEASED: 'Deceased',
  LEFT: 'Account deleted',
}

/** How a membership goes on: `card` is charged by the provider, `never` is for life. */
export const MEMBER_RENEWALS = ['card', 'manual', 'ends', 'never'] as const
export type MemberRenewal = (typeof MEMBER_RENEWALS)[number]

export const MEMBER_RENEWAL_NAMES: Record<MemberRenewal, string> = {
  card: 'Auto-renew',
  manual: 'Manual renewal',
  ends: 'Will not renew',
  never: 'For life',
}

export const CREDENTIAL_STATES = ['waiting', 'approved', 'declined', 'none'] as const
export type CredentialState = (typeof CREDENTIAL_STATES)[number]

export const CREDENTIAL_STATE_NAMES: Record<CredentialState, string> = {
  waiting: 'To review',
  approved: 'Verified',
  declined: 'Declined',
  none: 'Not provided',
}

/** Columns of the list, in the order of the table and the export; the name always comes first. */
export const MEMBER_LIST_COLUMNS = [
  'email',
  'status',
  'level',
  'ends',
  'credentials',
  'renewal',
  'joined',
  'lastPayment',
  'username',
  'started',
  'complimentary',
] as const
export type MemberListColumn = (typeof MEMBER_LIST_COLUMNS)[number]

export const MEMBER_LIST_COLUMN_NAMES: Record<MemberListColumn, string> = {
  email: 'Email',
  status: 'Status',
  level: 'Level',
  ends: 'Renews or ends',
  credentials: 'Credentials',
  renewal: 'Renewal',
  joined: 'Member since',
  lastPayment: 'Last payment',
  username: 'Username',
  started: 'Began on',
  complimentary: 'Complimentary',
}

export const MEMBER_SORTS = [
  'name',
  'email',
  'status',
  'level',
  'ends',
  'credentials',
  'renewal',
  'joined',
  'lastPayment',
  'username',
  'started',
] as const
export type MemberSort = (typeof MEMBER_SORTS)[number]

/** Members on one page of the list. */
const MEMBER_PAGE_SIZES = ['25', '50', '100'] as const
export const MEMBERS_PER_PAGE = 50

const wholeNumber = (max: number) =>
  z.string().check(
    z.regex(/^\d{1,6}$/, messages.text.unreadable),
    z.refine((text) => Number(text) <= max, messages.text.unreadable),
  )
const dayText = z.string().check(z.refine(isDay, messages.text.unreadable))

/** Some of these values, separated by commas. */
const someOf = (known: readonly string[]) =>
  z.string(messages.text.unreadable).check(
    z.maxLength(500, messages.text.unreadable),
    z.refine((text) => text.split(',').every((value) => known.includes(value)), messages.text.unreadable),
  )

/** Values separated by commas. */
const listOf = (value: z.ZodMiniType) =>
  z.string(messages.text.unreadable).check(
    z.maxLength(4_000, messages.text.unreadable),
    z.refine((text) => text.split(',').every((one) => value.safeParse(one).success), messages.text.unreadable),
  )

const choice = {
  /** Parts of the name, address and username, each of which must match; or a number in credentials or of a receipt. */
  q: z.optional(lineField(messages.text.unreadable, 100)),
  /** Values of one filter, separated by commas, are alternatives; filters combine. */
  status: z.optional(someOf(MEMBER_STATES)),
  /** Keys of levels. */
  level: z.optional(lineField(messages.text.unreadable, 500)),
  /** Memberships that renew or end within this many days. */
  ending: z.optional(wholeNumber(3_660)),
  credentials: z.optional(someOf(CREDENTIAL_STATES)),
  renewal: z.optional(someOf(MEMBER_RENEWALS)),
  /** Days, both inclusive. */
  joinedFrom: z.optional(dayText),
  joinedTo: z.optional(dayText),
  /** Values of the member record that officers see: see `recordFilterText`. */
  record: z.optional(recordFilterText),
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
  /** When the membership began; null without one. */
  startedAt: z.nullable(z.string()),
  /** When it renews, ends or ended; null for lifetime and without a membership. */
  endsAt: z.nullable(z.string()),
  /** null without a membership. */
  renewal: z.nullable(z.enum(MEMBER_RENEWALS)),
  credentials: z.nullable(z.enum(['waiting', 'approved', 'declined'])),
  /** The last payment of dues; null if there was none, and for officers who may not view payments. */
  lastPayment: z.nullable(z.object({ at: z.string(), amount: z.int(), currency: z.string() })),
  /** Why the current term is complimentary; omitted if it was paid. */
  complimentary: z.optional(z.string()),
  /** The cells of the fields that the query names and that have a value. */
  record: z.optional(z.record(z.string(), z.string())),
})
export type ListedMember = z.infer<typeof listedMember>

export const listMembers = endpoint({
  name: 'listMembers',
  method: 'GET',
  path: '/api/console/members',
  access: 'officer',
  permission: 'members.look',
  summary: 'List members by search, filters and order, in pages',
  query: z.object({
    ...choice,
    page: z.optional(wholeNumber(100_000)),
    size: z.optional(z.enum(MEMBER_PAGE_SIZES)),
    /** Columns of the member record to return, separated by commas. */
    fields: z.optional(listOf(recordColumnId)),
  }),
  reply: z.object({
    members: z.array(listedMember),
    /** Total on all pages. */
    total: z.int(),
    /** If no one was found: people with similar names. */
    suggestions: z.array(z.object({ id: z.string(), firstName: z.string(), lastName: z.string() })),
    levels: z.array(z.object({ key: z.string(), name: z.string() })),
    /** The fields of the member record that are in use: further columns and filters. */
    fields: z.array(recordField),
    mayExport: z.boolean(),
    /** Whether the caller may view payments. */
    mayLookAtMoney: z.boolean(),
  }),
  failures: [],
})

const counts = z.record(z.string(), z.int())

export const countMembers = endpoint({
  name: 'countMembers',
  method: 'GET',
  path: '/api/console/members/counts',
  access: 'officer',
  permission: 'members.look',
  summary: 'Count the members behind each value of each filter, under the other filters, and behind each saved view',
  query: memberListQuery,
  reply: z.object({
    status: counts,
    level: counts,
    credentials: counts,
    renewal: counts,
    /** By days ahead. */
    ending: counts,
    /** Of queries of the list, such as `status=ACTIVE`: the usual views, and those the caller has saved or shares. */
    views: counts,
  }),
  failures: [],
})

/** Days ahead offered by the filter. */
export const ENDING_DAYS = ['7', '30', '60', '90'] as const

/** The views that every officer has, by their query. */
export const USUAL_MEMBER_VIEWS = [
  { name: 'All', query: '' },
  { name: 'Active', query: 'status=ACTIVE' },
  { name: 'Renewing soon', query: 'ending=60' },
  { name: 'Payment failed', query: 'status=PAST_DUE' },
  { name: 'Lapsed', query: 'status=EXPIRED%2CCANCELED' },
  { name: 'Credentials to review', query: 'credentials=waiting' },
] as const

const columnList = z.optional(listOf(z.union([z.enum(MEMBER_LIST_COLUMNS), recordColumnId])))

/** Exports everyone's addresses: requires a second factor and is recorded in the audit log. */
export const exportMembers = fileEndpoint({
  name: 'exportMembers',
  method: 'GET',
  path: '/api/console/members/export',
  access: 'officer',
  permission: 'members.change',
  requiresFreshFactor: true,
  summary: 'Export the matching members as CSV, protected against formulas; without columns, in the form of an import',
  query: z.extend(memberListQuery, { columns: columnList }),
  media: 'text/csv',
  failures: [],
})

/** More are exported by a filter. */
const SELECTED_MAX = 2_000
export const selectedIds = z
  .array(lineField(messages.text.unreadable, 64))
  .check(z.minLength(1, messages.text.unreadable), z.maxLength(SELECTED_MAX, messages.text.unreadable))

export const exportSelectedMembers = fileEndpoint({
  name: 'exportSelectedMembers',
  method: 'POST',
  path: '/api/console/members/export',
  access: 'officer',
  permission: 'members.change',
  requiresFreshFactor: true,
  summary: 'Export these members as CSV, in the order of the query',
  body: z.object({
    ids: selectedIds,
    columns: columnList,
    order: choice.order,
    descending: choice.descending,
  }),
  media: 'text/csv',
  failures: [],
})
