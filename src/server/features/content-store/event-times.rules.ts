/// <reference lib="esnext.temporal" />
import type { AssociationEvent } from '#contract/events.ts'
import { startOfDay } from '#server/platform/local-time.rules.ts'

type Schedule = Pick<AssociationEvent, 'startsOn' | 'endsOn' | 'startsAt' | 'endsAt'>

/** Whole days, the last one included; or instants, the end null when nobody said how long it lasts. */
export type EventTimes =
  | { kind: 'days'; first: string; last: string }
  | { kind: 'hours'; start: Temporal.ZonedDateTime; end: Temporal.ZonedDateTime | null }

/**
 * When an event takes place on the association's clock; null when its date cannot be read. Several days with hours run from the first
 * morning to the last evening. A clock that is put forward or back on the day is heeded.
 */
export function timesOf({ startsOn, endsOn, startsAt, endsAt }: Schedule, timeZone: string): EventTimes | null {
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

/** As schema.org wants them: ISO days, or ISO times with the offset that the zone has on that day. */
export function isoTimes(event: Schedule, timeZone: string): { startDate: string | null; endDate: string | null } {
  const times = timesOf(event, timeZone)
  if (!times) return { startDate: null, endDate: null }
  if (times.kind === 'days') return { startDate: times.first, endDate: times.last }
  return { startDate: isoText(times.start), endDate: times.end && isoText(times.end) }
}

function isoText(time: Temporal.ZonedDateTime): string {
  return time.toString({ smallestUnit: 'second', timeZoneName: 'never' })
}

/** When an event begins and is over, in epoch milliseconds; one without an end lasts to the end of its day. Nulls when its date cannot be read. */
export function spanOf(event: Schedule, timeZone: string): { startsAt: number | null; endsAt: number | null } {
  const times = timesOf(event, timeZone)
  if (!times) return { startsAt: null, endsAt: null }
  if (times.kind === 'days')
    return { startsAt: startOfDay(times.first, timeZone), endsAt: endOfDay(times.last, timeZone) }
  const { start, end } = times
  return {
    startsAt: start.epochMilliseconds,
    endsAt: end ? end.epochMilliseconds : endOfDay(start.toPlainDate().toString(), timeZone),
  }
}

/** The first moment after a day of the association's calendar. */
export function endOfDay(day: string, timeZone: string): number {
  return startOfDay(Temporal.PlainDate.from(day).add({ days: 1 }).toString(), timeZone)
}
