import * as z from 'zod/mini'
import { isDay } from '../dates/days.ts'
import { endpoint } from '../endpoint.ts'
import { lineField } from '../fields.ts'
import { messages } from '../messages.ts'

/** Console endpoints for sponsors: their benefits, and the run of show with their remarks. */

export const BENEFIT_KINDS = ['remarks', 'table', 'logo'] as const
export type BenefitKind = (typeof BENEFIT_KINDS)[number]

export const sponsorBoardLimits = { pageSize: 50, items: 60, titleMax: 120, minutesMax: 600 } as const

const idField = lineField(messages.text.unreadable, 64)

const sponsorship = z.object({
  id: z.string(),
  company: z.string(),
  name: z.string(),
  email: z.string(),
  phone: z.nullable(z.string()),
  message: z.nullable(z.string()),
  tierName: z.string(),
  amount: z.int(),
  amountRefunded: z.int(),
  dispute: z.nullable(z.enum(['open', 'won', 'lost'])),
  currency: z.string(),
  paidAt: z.string(),
  receiptNumber: z.string(),
  /** After a full refund, only the benefits already delivered. */
  promises: z.array(
    z.object({
      kind: z.enum(BENEFIT_KINDS),
      /** '3 minutes of remarks'. */
      words: z.string(),
      keptAt: z.nullable(z.string()),
      /** The day by which it is to be delivered, `YYYY-MM-DD`; null if none was set. */
      dueOn: z.nullable(z.string()),
      isOverdue: z.boolean(),
    }),
  ),
})
export type PaidSponsor = z.infer<typeof sponsorship>

export const listSponsorships = endpoint({
  name: 'listSponsorships',
  method: 'GET',
  path: '/api/console/sponsors',
  access: 'officer',
  permission: 'sponsors.look',
  summary: 'List paid sponsorships with their benefits, newest first',
  query: z.object({
    show: z._default(z.enum(['open', 'all'], messages.text.unreadable), 'open'),
    q: z.optional(lineField(messages.text.unreadable, 100)),
    page: z._default(
      z.coerce.number(messages.text.number).check(z.int(messages.text.number), z.gte(1), z.lte(10_000)),
      1,
    ),
  }),
  reply: z.object({
    sponsorships: z.array(sponsorship),
    hasMore: z.boolean(),
    /** Whether the caller may make changes. */
    mayChange: z.boolean(),
  }),
  failures: [],
})

export const setBenefitDelivered = endpoint({
  name: 'keepPromise',
  method: 'PUT',
  path: '/api/console/sponsors/:id/promises/:kind',
  access: 'officer',
  permission: 'sponsors.change',
  summary: 'Mark a sponsor benefit as delivered or not delivered',
  params: z.object({ id: idField, kind: z.enum(BENEFIT_KINDS, messages.text.unreadable) }),
  body: z.object({ isKept: z.boolean() }),
  reply: sponsorship,
  failures: ['NOT_FOUND'],
})

export const setBenefitDeadline = endpoint({
  name: 'setBenefitDeadline',
  method: 'PUT',
  path: '/api/console/sponsors/:id/promises/:kind/deadline',
  access: 'officer',
  permission: 'sponsors.change',
  summary: 'Set or remove the day by which a sponsor benefit is to be delivered',
  params: z.object({ id: idField, kind: z.enum(BENEFIT_KINDS, messages.text.unreadable) }),
  body: z.object({ dueOn: z.nullable(z.iso.date('Please choose a day')) }),
  reply: sponsorship,
  failures: ['NOT_FOUND'],
})

export const resendSponsorReceipt = endpoint({
  name: 'sendReceiptAgain',
  method: 'POST',
  path: '/api/console/sponsors/:id/receipt',
  access: 'officer',
  permission: 'sponsors.change',
  summary: 'Email a sponsor the thank-you message with the receipt again',
  params: z.object({ id: idField }),
  body: z.object({}),
  reply: z.object({ email: z.string() }),
  failures: ['NOT_FOUND'],
})

/** In the association's time zone. */
const CLOCK = /^([01]\d|2[0-3]):[0-5]\d$/

const runItem = z.object({
  /** null for items that officers add, such as a welcome. */
  sponsorshipId: z.nullable(z.string()),
  title: z.string(),
  minutes: z.int(),
})
export type RunItem = z.infer<typeof runItem>

const runOfShow = z.object({
  day: z.string(),
  startsAt: z.string(),
  items: z.array(runItem),
  /** 0 if nothing was saved for this day yet. */
  version: z.int(),
  /** Sponsors whose remarks are not delivered and are in no run of show. */
  waiting: z.array(runItem),
  /** Whether the caller may make changes. */
  mayChange: z.boolean(),
})
export type RunOfShow = z.infer<typeof runOfShow>

const dayParams = z.object({
  day: z.string(messages.text.unreadable).check(z.refine((text) => isDay(text), 'Please choose a day')),
})

export const listRunDays = endpoint({
  name: 'listRunDays',
  method: 'GET',
  path: '/api/console/run-of-show',
  access: 'officer',
  permission: 'sponsors.look',
  summary: 'List the days with a run of show, newest first, and the days of upcoming events',
  reply: z.object({
    days: z.array(z.object({ day: z.string(), items: z.int() })),
    events: z.array(z.object({ day: z.string(), title: z.string() })),
  }),
  failures: [],
})

export const getRunOfShow = endpoint({
  name: 'getRunOfShow',
  method: 'GET',
  path: '/api/console/run-of-show/:day',
  access: 'officer',
  permission: 'sponsors.look',
  summary: 'Get the run of show of a day',
  params: dayParams,
  reply: runOfShow,
  failures: [],
})

export const saveRunOfShow = endpoint({
  name: 'saveRunOfShow',
  method: 'PUT',
  path: '/api/console/run-of-show/:day',
  access: 'officer',
  permission: 'sponsors.change',
  summary: 'Save the run of show of a day; an empty one is deleted',
  params: dayParams,
  body: z.object({
    startsAt: z.string('Please enter when it begins').check(z.regex(CLOCK, 'Please enter when it begins')),
    items: z
      .array(
        z.object({
          sponsorshipId: z.nullable(idField),
          title: lineField('Please enter a title', sponsorBoardLimits.titleMax),
          minutes: z
            .int('Please enter whole minutes')
            .check(z.gte(0, 'Please enter whole minutes'), z.lte(sponsorBoardLimits.minutesMax, 'This is too long')),
        }),
      )
      .check(z.maxLength(sponsorBoardLimits.items, 'There are too many items for one day')),
    version: z.int(messages.text.number),
  }),
  reply: runOfShow,
  failures: ['CHANGED_MEANWHILE'],
})

/** The start of each item, such as '6:30 PM', the end of the last one, and the total minutes. */
export function runOfShowTimes(
  startsAt: string,
  items: readonly Pick<RunItem, 'minutes'>[],
): { begins: string[]; endsAt: string; total: number } {
  const [hours = 0, minutes = 0] = startsAt.split(':').map(Number)
  let at = hours * 60 + minutes
  const begins = items.map((item) => {
    const begin = at
    at += item.minutes
    return clockOf(begin)
  })
  return { begins, endsAt: clockOf(at), total: items.reduce((sum, item) => sum + item.minutes, 0) }
}

function clockOf(minutes: number): string {
  const hour = Math.floor(minutes / 60) % 24
  return `${hour % 12 || 12}:${String(minutes % 60).padStart(2, '0')} ${hour < 12 ? 'AM' : 'PM'}`
}
