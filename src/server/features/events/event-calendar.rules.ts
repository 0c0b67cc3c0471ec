/// <reference lib="esnext.temporal" />
import { takesPlace, type AssociationEvent } from '#contract/events.ts'
import { addDays } from '#contract/days.ts'
import { calendarText, calendarWords, type CalendarLine } from './calendar-text.ts'
import { timesOf, type EventTimes } from './event-times.rules.ts'

interface CalendarFacts {
  /** The association's. */
  name: string
  siteUrl: string
  timeZone: string
  /** The association's day: the file is the same for all of it. */
  today: string
}

/**
 * Events as an iCalendar file (RFC 5545), those with an unreadable date left out. Hours are instants of UTC, which every calendar shows
 * right whatever the clocks do in between; whole days are days, the end being the day after the last.
 */
export function writeCalendar(events: readonly AssociationEvent[], facts: CalendarFacts): string {
  const { name, timeZone } = facts
  return calendarText([
    ['BEGIN', 'VCALENDAR'],
    ['VERSION', '2.0'],
    ['PRODID', `-//${calendarWords(name)}//Events//EN`],
    ['CALSCALE', 'GREGORIAN'],
    ['NAME', calendarWords(name)],
    ['X-WR-CALNAME', calendarWords(name)],
    ['X-WR-TIMEZONE', timeZone],
    ['REFRESH-INTERVAL;VALUE=DURATION', 'PT12H'],
    ['X-PUBLISHED-TTL', 'PT12H'],
    ...events.flatMap((event) => eventLines(event, facts)),
    ['END', 'VCALENDAR'],
  ])
}

function eventLines(event: AssociationEvent, { siteUrl, timeZone, today }: CalendarFacts): CalendarLine[] {
  const times = timesOf(event, timeZone)
  if (!times) return []
  const url = `${siteUrl}/events/${event.id}`
  const stamp = Temporal.PlainDate.from(today).toZonedDateTime(timeZone)
  return [
    ['BEGIN', 'VEVENT'],
    ['UID', `${event.id}@${new URL(siteUrl).hostname}`],
    ['DTSTAMP', instantText(stamp)],
    ...timeLines(times),
    ['SUMMARY', calendarWords(event.title)],
    ['DESCRIPTION', calendarWords(`${event.description}\n\n${url}`)],
    ['LOCATION', calendarWords([event.location, event.address].filter(Boolean).join(', '))],
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
