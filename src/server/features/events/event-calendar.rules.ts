/// <reference lib="esnext.temporal" />
import { takesPlace, type AssociationEvent } from '#contract/public/events.ts'
import { addDays } from '#contract/dates/days.ts'
import { formatCalendar, escapeCalendarText, type CalendarLine } from './calendar-text.rules.ts'
import { eventTimes, type EventTimes } from '#server/features/content-store/event-times.rules.ts'

interface CalendarOptions {
  /** The association's name. */
  name: string
  siteUrl: string
  timeZone: string
  /** Today on the association's calendar: the file is the same all day. */
  today: string
}

/**
 * Writes events as an iCalendar file (RFC 5545); events with an unreadable date are left out. Times are UTC instants, which calendars convert
 * correctly across daylight saving changes. All-day events use dates, and DTEND is the day after the last.
 */
export function writeCalendar(events: readonly AssociationEvent[], options: CalendarOptions): string {
  const { name, timeZone } = options
  return formatCalendar([
    ['BEGIN', 'VCALENDAR'],
    ['VERSION', '2.0'],
    ['PRODID', `-//${escapeCalendarText(name)}//Events//EN`],
    ['CALSCALE', 'GREGORIAN'],
    ['NAME', escapeCalendarText(name)],
    ['X-WR-CALNAME', escapeCalendarText(name)],
    ['X-WR-TIMEZONE', timeZone],
    ['REFRESH-INTERVAL;VALUE=DURATION', 'PT12H'],
    ['X-PUBLISHED-TTL', 'PT12H'],
    ...events.flatMap((event) => eventLines(event, options)),
    ['END', 'VCALENDAR'],
  ])
}

function eventLines(event: AssociationEvent, { siteUrl, timeZone, today }: CalendarOptions): CalendarLine[] {
  const times = eventTimes(event, timeZone)
  if (!times) return []
  const url = `${siteUrl}/events/${event.id}`
  const stamp = Temporal.PlainDate.from(today).toZonedDateTime(timeZone)
  return [
    ['BEGIN', 'VEVENT'],
    ['UID', `${event.id}@${new URL(siteUrl).hostname}`],
    ['DTSTAMP', instantText(stamp)],
    ...timeLines(times),
    ['SUMMARY', escapeCalendarText(event.title)],
    ['DESCRIPTION', escapeCalendarText(`${event.description}\n\n${url}`)],
    ['LOCATION', escapeCalendarText([event.location, event.address].filter(Boolean).join(', '))],
    ['URL', url],
    ['STATUS', takesPlace(event) ? 'CONFIRMED' : 'CANCELLED'],
    ['END', 'VEVENT'],
  ]
}

function timeLines(times: EventTimes): CalendarLine[] {
  if (times.kind === 'days') {
    return [
      ['DTSTART;VALUE=DATE', dayText(times.first)],
      ['DTEND;VALUE=DATE', dayText(addDays(times.last, 1))],
    ]
  }
  const { start, end } = times
  return [['DTSTART', instantText(start)], ...(end ? [['DTEND', instantText(end)] as CalendarLine] : [])]
}

function dayText(day: string): string {
  return day.replaceAll('-', '')
}

function instantText(time: Temporal.ZonedDateTime): string {
  return `${time.toInstant().toString({ smallestUnit: 'second' }).replaceAll(/[-:Z]/g, '')}Z`
}
