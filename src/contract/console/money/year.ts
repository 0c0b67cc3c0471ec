import * as z from 'zod/mini'
import { dayField } from '../member.ts'
import { PAYMENT_KINDS } from './payments.ts'
import { endpoint, fileEndpoint } from '#contract/endpoint.ts'
import { lineField } from '#contract/fields.ts'
import { messages } from '#contract/messages.ts'

/** The year of the treasurer: totals by kind and month, the journal for the accountant, and the statements of members. Amounts are cents. */

export const YEAR_BASES = ['calendar', 'fiscal'] as const
export type YearBasis = (typeof YEAR_BASES)[number]

/** The accounts of the journal, in the order of the form. */
export const ACCOUNT_ROLES = [
  'bank',
  'clearing',
  'undeposited',
  'dues',
  'seats',
  'sponsorships',
  'fees',
  'disputes',
] as const
export type AccountRole = (typeof ACCOUNT_ROLES)[number]

export const ACCOUNT_LABELS: Record<AccountRole, { label: string; hint: string }> = {
  bank: { label: 'Bank account', hint: 'Where payouts arrive.' },
  clearing: { label: 'Card provider', hint: 'What the card provider holds until it pays out.' },
  undeposited: { label: 'Undeposited funds', hint: 'Checks, cash and transfers until you match them with a deposit.' },
  dues: { label: 'Dues', hint: 'Income.' },
  seats: { label: 'Event seats', hint: 'Income.' },
  sponsorships: { label: 'Sponsorships', hint: 'Income.' },
  fees: { label: 'Card fees', hint: 'Expense.' },
  disputes: { label: 'Disputed payments', hint: 'What banks hold while they decide about a dispute.' },
}

export const accountNameMax = 100

const yearNumber = z.coerce.number(messages.text.number).check(z.int(messages.text.number), z.gte(2000), z.lte(2199))
const basis = z._default(z.enum(YEAR_BASES, messages.text.unreadable), 'calendar')

const kindTotal = z.object({
  kind: z.enum(PAYMENT_KINDS),
  received: z.int(),
  refunded: z.int(),
  revenue: z.int(),
  /** Revenue of the year before: all of it, and until the same day. */
  before: z.int(),
  beforeToDate: z.int(),
})

export const getYear = endpoint({
  name: 'getYear',
  method: 'GET',
  path: '/api/console/year',
  access: 'officer',
  permission: 'money.look',
  summary: 'Get the totals of a year by kind and month, beside the year before',
  query: z.object({ year: z.optional(yearNumber), basis }),
  reply: z.object({
    /** The calendar year, or the year in which the fiscal year begins. */
    year: z.int(),
    basis: z.enum(YEAR_BASES),
    /** '2026', or '2026-27'. */
    label: z.string(),
    from: z.string(),
    to: z.string(),
    currency: z.string(),
    /** In the order of the year. */
    months: z.array(
      z.object({
        /** `YYYY-MM`. */
        month: z.string(),
        dues: z.int(),
        seats: z.int(),
        sponsorship: z.int(),
        refunded: z.int(),
        revenue: z.int(),
        /** Revenue of the same month a year before. */
        before: z.int(),
      }),
    ),
    kinds: z.array(kindTotal),
    methods: z.array(z.object({ method: z.string(), received: z.int(), refunded: z.int() })),
    total: z.object({ received: z.int(), refunded: z.int(), revenue: z.int(), before: z.int(), beforeToDate: z.int() }),
    /** First of January for 1. */
    fiscalYearBeginsIn: z.int(),
    accounts: z.record(z.enum(ACCOUNT_ROLES), z.string()),
    mayChange: z.boolean(),
  }),
  failures: [],
})

export const saveAccounting = endpoint({
  name: 'saveAccounting',
  method: 'PUT',
  path: '/api/console/accounting',
  access: 'officer',
  permission: 'money.change',
  summary: 'Change the names of the accounts in the journal, and the month in which the fiscal year begins',
  body: z.object({
    fiscalYearBeginsIn: z
      .int(messages.text.number)
      .check(z.gte(1, messages.text.number), z.lte(12, messages.text.number)),
    accounts: z.record(z.enum(ACCOUNT_ROLES), lineField('Please enter a name for each account', accountNameMax)),
  }),
  reply: z.object({ fiscalYearBeginsIn: z.int(), accounts: z.record(z.enum(ACCOUNT_ROLES), z.string()) }),
  failures: [],
})

const JOURNAL_FORMATS = ['csv', 'quickbooks'] as const

export const exportJournal = fileEndpoint({
  name: 'exportJournal',
  method: 'GET',
  path: '/api/console/journal/export',
  access: 'officer',
  permission: 'money.look',
  summary: 'Export a balanced journal of a span of days, as CSV for an accountant or for QuickBooks Online',
  query: z.object({
    from: dayField(messages.text.unreadable),
    to: dayField(messages.text.unreadable),
    format: z._default(z.enum(JOURNAL_FORMATS, messages.text.unreadable), 'csv'),
  }),
  media: 'text/csv',
  failures: ['PROVIDER_AWAY'],
})

export const exportYear = fileEndpoint({
  name: 'exportYear',
  method: 'GET',
  path: '/api/console/year/export',
  access: 'officer',
  permission: 'money.look',
  summary: 'Export the totals of a year by month and kind as CSV',
  query: z.object({ year: z.optional(yearNumber), basis }),
  media: 'text/csv',
  failures: [],
})

const statementRun = z.object({
  year: z.int(),
  /** Members who paid in that year, and how many were emailed. */
  members: z.int(),
  sent: z.int(),
  skipped: z.int(),
  state: z.enum(['none', 'running', 'done']),
  startedAt: z.nullable(z.string()),
  startedBy: z.nullable(z.string()),
})
export type StatementRun = z.infer<typeof statementRun>

export const getStatements = endpoint({
  name: 'getStatements',
  method: 'GET',
  path: '/api/console/statements/:year',
  access: 'officer',
  permission: 'money.look',
  summary: 'Get how many members paid in a calendar year, and how far their statements were emailed',
  params: z.object({ year: yearNumber }),
  reply: statementRun,
  failures: [],
})

export const sendStatements = endpoint({
  name: 'sendStatements',
  method: 'POST',
  path: '/api/console/statements/:year',
  access: 'officer',
  permission: 'money.change',
  requiresFreshFactor: true,
  summary: 'Email the statement of a calendar year to every member who paid and has not received it; each gets it once',
  params: z.object({ year: yearNumber }),
  body: z.object({
    /** As the officer saw it. */
    members: z.int(messages.text.number).check(z.gte(0, messages.text.number), z.lte(1_000_000, messages.text.number)),
  }),
  reply: statementRun,
  failures: ['CHANGED_MEANWHILE'],
})

export const openStatement = fileEndpoint({
  name: 'openStatement',
  method: 'GET',
  path: '/api/console/members/:id/statements/:year',
  access: 'officer',
  permission: 'money.look',
  summary: "Get a member's statement of a calendar year as a PDF",
  params: z.object({ id: lineField(messages.text.unreadable, 64), year: yearNumber }),
  media: 'application/pdf',
  failures: ['NOT_FOUND'],
})
