/// <reference lib="esnext.temporal" />
import { parseEventDate } from '#contract/dates/event-dates.ts'
import { parseHours } from '#contract/dates/event-hours.ts'
import type { AssociationEvent } from '#contract/public/events.ts'
import { startOfDay } from '#server/lib/local-time.rules.ts'

type Schedule = Pick<AssociationEvent, 'startsOn' | 'endsOn' | 'startsAt' | 'endsAt'>

/** What an event's texts say: its days are null if they cannot be read, and its hours if there are none. */
export function readSchedule({ date, time }: { date: string; time?: string | undefined }): Schedule {
  const span = parseEventDate(date)
  return { startsOn: span?.startsOn ?? null, endsOn: span?.endsOn ?? null, ...parseHours(time ?? date) }
}

/** Whole days, the last one inclusive; or hours, with a null end if no end time is known. */
export type EventTimes =
  | { kind: 'days'; first: string; last: string }
  | { kind: 'hours'; start: Temporal.ZonedDateTime; end: Temporal.ZonedDateTime | null }

/**
 * The event's time in the association's time zone; null if its date cannot be read. An event of several days with hours runs from the first start to
 * the last end. Daylight saving changes are taken into account.
 */
export function eventTimes({ startsOn, endsOn, startsAt, endsAt }: Schedule, timeZone: string): EventTimes | null {
  if (!startsOn) return null
  const last = endsOn ?? startsOn
  if (!startsAt) return { kind: 'days', first: startsOn, last }

  const at = (day: Temporal.PlainDate, time: string) => day.toZonedDateTime({ timeZone, plainTime: time })
  const lastDay = Temporal.PlainDate.from(last)
  const start = at(Temporal.PlainDate.from(startsOn), startsAt)
  if (!endsAt) return { kind: 'hours', start, end: last > startsOn ? at(lastDay.add({ days: 1 }), '00:00') : null }
  // '8 PM - 1 AM' on one day ends on the next.
  const isNextDay = last === startsOn && endsAt <= startsAt
  return { kind: 'hours', start, end: at(isNextDay ? lastDay.add({ days: 1 }) : lastDay, endsAt) }
}

/** In the format of schema.org: ISO dates, or ISO times with the zone's offset on that day. */
export function isoTimes(event: Schedule, timeZone: string): { startDate: string | null; endDate: string | null } {
  const times = eventTimes(event, timeZone)
  if (!times) return { startDate: null, endDate: null }
  if (times.kind === 'days') return { startDate: times.first, endDate: times.last }
  return { startDate: isoText(times.start), endDate: times.end && isoText(times.end) }
}

function isoText(time: Temporal.ZonedDateTime): string {
  return time.toString({ smallestUnit: 'second', timeZoneName: 'never' })
}

/**
 * Start and end of an event in epoch milliseconds. Without an end time it lasts until the end of its day. Both are null if its date cannot be read.
 */
export function eventSpan(event: Schedule, timeZone: string): { startsAt: number | null; endsAt: number | null } {
  const times = eventTimes(event, timeZone)
  if (!times) return { startsAt: null, endsAt: null }
  if (times.kind === 'days')
    return { startsAt: startOfDay(times.first, timeZone), endsAt: endOfDay(times.last, timeZone) }
  const { start, end } = times
  return {
    startsAt: start.epochMilliseconds,
    endsAt: end ? end.epochMilliseconds : endOfDay(start.toPlainDate().toString(), timeZone),
  }
}

/** The instant at which a day of the association's calendar ends. */
export function endOfDay(day: string, timeZone: string): number {
  return startOfDay(Temporal.PlainDate.from(day).add({ days: 1 }).toString(), timeZone)
}
