import { addDays, weekdayOf, writeDayRange } from '#contract/days.ts'
import { readEventDate } from '#contract/event-dates.ts'
import { readHours } from '#contract/event-hours.ts'
import type { StoredEvent } from '../events/event.repository.ts'
import type { StoredNewsItem } from '../news/news.repository.ts'
import type { ContentEvent, ContentNewsItem } from './content-schemas.ts'

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

/**
 * An event of a content file as it is kept. Its day is `date`, as an officer would write it, or a distance from `today` (samples), moved
 * forward to the weekday named; a date that cannot be read leaves `startsOn` null. Hours may stand in the date as well.
 */
export function storedEvent(event: ContentEvent, today: string): StoredEvent {
  const { in: distance, weekday, days, date, time = null, ...rest } = event
  const text = date ?? relativeDate({ distance, weekday, days }, today)
  const span = readEventDate(text)
  return {
    ...rest,
    date: text,
    time,
    address: event.address ?? null,
    startsOn: span?.startsOn ?? null,
    endsOn: span?.endsOn ?? null,
    ...readHours(time ?? text),
  }
}

export function storedNewsItem({ in: distance, date, ...item }: ContentNewsItem, today: string): StoredNewsItem {
  return { ...item, date: date ?? addDays(today, daysOf(distance)) }
}

/** As a content file tells a stored event: `storedEvent` makes the same of it on any day. */
export function eventFile({ startsOn: _s, endsOn: _e, startsAt: _a, endsAt: _z, ...event }: StoredEvent): ContentEvent {
  const { time, address, ...rest } = event
  return { ...rest, days: 1, ...(time && { time }), ...(address && { address }) }
}

export function newsFile(item: StoredNewsItem): ContentNewsItem {
  return item
}

function relativeDate(
  { distance, weekday, days }: { distance: string | undefined; weekday: string | undefined; days: number },
  today: string,
): string {
  const from = addDays(today, daysOf(distance))
  const ahead = weekday ? (WEEKDAYS.indexOf(weekday) - weekdayOf(from) + 7) % 7 : 0
  const startsOn = addDays(from, ahead)
  return writeDayRange({ startsOn, endsOn: addDays(startsOn, days - 1) })
}

/** Of `40 days` or `-7 days`. */
function daysOf(distance: string | undefined): number {
  return Number(distance?.split(' ')[0] ?? 0)
}
