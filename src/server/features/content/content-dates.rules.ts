import { addDays, weekdayOf, formatDayRange } from '#contract/dates/days.ts'
import { parseEventDate } from '#contract/dates/event-dates.ts'
import { parseHours } from '#contract/dates/event-hours.ts'
import type { StoredEvent } from '#server/features/content-store/event.queries.ts'
import type { StoredNewsItem } from '#server/features/content-store/news.queries.ts'
import type { ContentEvent, ContentNewsItem } from '#server/features/content-store/content.schema.ts'

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

/**
 * Converts an event of a content file. Its day is `date` as text, or relative to `today` (samples), moved forward to `weekday` if given. If the date
 * cannot be parsed, `startsOn` is null. The date may include hours.
 */
export function eventFromFile(event: ContentEvent, today: string): StoredEvent {
  const { in: distance, weekday, days, date, time = null, ...rest } = event
  const text = date ?? relativeDate({ distance, weekday, days }, today)
  const span = parseEventDate(text)
  return {
    ...rest,
    date: text,
    time,
    address: event.address ?? null,
    startsOn: span?.startsOn ?? null,
    endsOn: span?.endsOn ?? null,
    ...parseHours(time ?? text),
  }
}

export function newsItemFromFile({ in: distance, date, ...item }: ContentNewsItem, today: string): StoredNewsItem {
  return { ...item, date: date ?? addDays(today, daysOf(distance)) }
}

/** The inverse of `eventFromFile`, with an absolute date, so that importing it later gives the same event. */
export function eventToFile({
  startsOn: _s,
  endsOn: _e,
  startsAt: _a,
  endsAt: _z,
  ...event
}: StoredEvent): ContentEvent {
  const { time, address, ...rest } = event
  return { ...rest, days: 1, ...(time && { time }), ...(address && { address }) }
}

export function newsItemToFile(item: StoredNewsItem): ContentNewsItem {
  return item
}

function relativeDate(
  { distance, weekday, days }: { distance: string | undefined; weekday: string | undefined; days: number },
  today: string,
): string {
  const from = addDays(today, daysOf(distance))
  const offset = weekday ? (WEEKDAYS.indexOf(weekday) - weekdayOf(from) + 7) % 7 : 0
  const startsOn = addDays(from, offset)
  return formatDayRange({ startsOn, endsOn: addDays(startsOn, days - 1) })
}

/** Parses `40 days` or `-7 days`. */
function daysOf(distance: string | undefined): number {
  return Number(distance?.split(' ')[0] ?? 0)
}
