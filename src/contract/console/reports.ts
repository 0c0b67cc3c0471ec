import * as z from 'zod/mini'
import { endpoint, fileEndpoint } from '../endpoint.ts'

/** Figures of the console's home page, and the reports for the board. */

/** How many months the reports of members look back, and how many days the list of renewals looks ahead. */
export const REPORT_WINDOW = { months: 24, renewalDays: 60 } as const

const level = z.object({ key: z.string(), name: z.string() })

const membersByMonth = z.object({
  /** Levels that had a member in the period, the largest first. */
  levels: z.array(level),
  /** The end of each month, oldest first, and last today; `counts` are in the order of `levels`. */
  months: z.array(z.object({ month: z.string(), counts: z.array(z.int()) })),
})
export type MembersByMonth = z.infer<typeof membersByMonth>

const renewalsDue = z.object({
  count: z.int(),
  /** What the renewals bring, in cents. */
  amount: z.int(),
  currency: z.string(),
  /** Renewed by the card provider; the others renew by hand. */
  automatic: z.int(),
  /** Weeks from today; `from` is the first day. */
  weeks: z.array(z.object({ from: z.string(), count: z.int() })),
})
export type RenewalsDue = z.infer<typeof renewalsDue>

const monthIncome = z.object({
  /** `YYYY-MM` */
  month: z.string(),
  currency: z.string(),
  /** Cents received until the end of each day, without refunds; up to today. */
  days: z.array(z.int()),
  /** The same of the whole month a year before. */
  yearBefore: z.array(z.int()),
})
export type MonthIncome = z.infer<typeof monthIncome>

export const getHomeFigures = endpoint({
  name: 'getHomeFigures',
  method: 'GET',
  path: '/api/console/home',
  access: 'officer',
  permission: 'console.look',
  summary: 'Get the figures of the home page that the caller may see; others are null',
  reply: z.object({
    /** Today on the association's calendar. */
    today: z.string(),
    members: z.nullable(membersByMonth),
    renewals: z.nullable(renewalsDue),
    income: z.nullable(monthIncome),
  }),
  failures: [],
})

const monthOfChange = z.object({
  month: z.string(),
  /** First memberships, and those after a break of more than 60 days. */
  joined: z.int(),
  returned: z.int(),
  /** Memberships that ended and were not continued. */
  lost: z.int(),
  /** Terms that ended in this month and were not for life. */
  due: z.int(),
  /** Of these, how many were continued. */
  renewed: z.int(),
})
export type MonthOfChange = z.infer<typeof monthOfChange>

const lapsingMember = z.object({
  id: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  level: z.string(),
  endsAt: z.string(),
})

const memberReport = z.object({
  members: membersByMonth,
  /** Oldest first; the last is this month so far. */
  changes: z.array(monthOfChange),
  /** Members whose term ends next month unless they renew it themselves, by name. */
  lapsing: z.object({ month: z.string(), members: z.array(lapsingMember) }),
})
export type MemberReport = z.infer<typeof memberReport>

export const getMemberReport = endpoint({
  name: 'getMemberReport',
  method: 'GET',
  path: '/api/console/reports/members',
  access: 'officer',
  permission: 'members.look',
  summary: 'Get the report of members for the board: by level, joined and lost, renewal rate, who lapses next month',
  reply: memberReport,
  failures: [],
})

const exported = {
  method: 'GET',
  access: 'officer',
  permission: 'members.look',
  failures: [],
} as const

export const exportMemberReportCsv = fileEndpoint({
  ...exported,
  name: 'exportMemberReportCsv',
  path: '/api/console/reports/members.csv',
  summary: 'Export the report of members as CSV; it names people, so the export is recorded',
  media: 'text/csv',
})

export const exportMemberReportPdf = fileEndpoint({
  ...exported,
  name: 'exportMemberReportPdf',
  path: '/api/console/reports/members.pdf',
  summary: 'Export the report of members as PDF; it names people, so the export is recorded',
  media: 'application/pdf',
})
