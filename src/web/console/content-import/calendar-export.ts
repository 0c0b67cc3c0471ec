import { dateFormat } from '#contract/formatters.ts'
import { addDays } from '#contract/dates/calendar-day.ts'
import { formatDayRange } from '#contract/dates/days.ts'
import { formatHours } from '#contract/dates/event-hours.ts'
import { isTimeZone } from '#contract/dates/dates.ts'
import {
  EXPORT_UNREADABLE,
  IMPORT_MAX_ITEMS,
  type FoundContent,
  type ImportItem,
} from '#contract/console/website/content-import.ts'
import { region } from '#contract/region.ts'
import { absolute, cleanHtml } from './clean-html.ts'

interface Property {
  name: string
  parameters: ReadonlyMap<string, string>
  value: string
}

/** A day, and a time unless it is a whole day. */
interface LocalTime {
  day: string
  time: string | null
}

/** Names of time zones that Outlook writes, as in the Unicode CLDR's windowsZones.xml: those of the United States. */
const WINDOWS_ZONES: Record<string, string> = {
  'Eastern Standard Time': 'US/Eastern',
  'US Eastern Standard Time': 'US/East-Indiana',
  'Central Standard Time': 'US/Central',
  'Mountain Standard Time': 'US/Mountain',
  'US Mountain Standard Time': 'US/Arizona',
  'Pacific Standard Time': 'US/Pacific',
  'Alaskan Standard Time': 'US/Alaska',
  'Hawaiian Standard Time': 'US/Hawaii',
}

/**
 * Reads the events of a calendar file (RFC 5545), with their times in the association's time zone. Of events that repeat, the file has only a rule, so
 * they are left to the officer.
 * @throws Error with a sentence for the officer
 */
export function readCalendar(ics: string): FoundContent {
  if (!/^\uFEFF?BEGIN:VCALENDAR\s/i.test(ics)) throw new Error(EXPORT_UNREADABLE)
  const items: ImportItem[] = []
  const leftOut = new Map<string, number>()
  const open: string[] = []
  let event: Property[] = []
  for (const property of readProperties(ics)) {
    const component = property.value.toUpperCase()
    if (property.name === 'BEGIN') {
      open.push(component)
      if (component === 'VEVENT') event = []
      if (component === 'VTODO') leftOut.set('Tasks', (leftOut.get('Tasks') ?? 0) + 1)
    } else if (property.name === 'END') {
      if (component === 'VEVENT') items.push(readEvent(event))
      open.pop()
      // Alarms of an event have properties of their own.
    } else if (open.at(-1) === 'VEVENT') event.push(property)
    if (items.length > IMPORT_MAX_ITEMS)
      throw new Error(
        `The file has more than ${IMPORT_MAX_ITEMS.toLocaleString('en-US')} events. Export a shorter time.`,
      )
  }
  return { source: 'calendar', site: '', items, leftOut: [...leftOut].map(([what, count]) => ({ what, count })) }
}

function readEvent(properties: readonly Property[]): ImportItem {
  const find = (name: string) => properties.find((one) => one.name === name)
  const textOf = (name: string) => unescape(find(name)?.value ?? '')
  const title = textOf('SUMMARY').replaceAll(/\s+/g, ' ').trim()
  const start = readTime(find('DTSTART'))
  const description = cleanHtml(toHtml(textOf('DESCRIPTION')), { base: '' })
  const url = absolute(textOf('URL').trim(), '')
  const instance = find('RECURRENCE-ID')?.value
  const uid = textOf('UID').trim() || `${title} ${find('DTSTART')?.value ?? ''}`
  return {
    kind: 'event',
    address: [uid, instance].filter(Boolean).join(' ').slice(0, 2_000),
    otherPaths: [],
    title,
    slug: '',
    isPublished: true,
    ...(start ? describeTimes(start, readEnd(find('DTEND'), find('DURATION'), start)) : { date: '', time: '' }),
    author: '',
    excerpt: '',
    text: [description.text, url === null ? '' : `[${url.replace(/^https?:\/\//, '')}](${url})`]
      .filter(Boolean)
      .join('\n\n'),
    picture: '',
    pictureAlt: '',
    location: textOf('LOCATION').replaceAll(/\s+/g, ' ').trim(),
    notes: description.notes,
    obstacle: obstacleOf(find, start),
  }
}

function obstacleOf(find: (name: string) => Property | undefined, start: LocalTime | null): string {
  if (find('STATUS')?.value.toUpperCase() === 'CANCELLED') return 'It was canceled.'
  if (find('RRULE') || find('RDATE')) return 'It repeats. Add the dates that you want as events of their own.'
  if (start) return ''
  const zone = find('DTSTART')?.parameters.get('TZID')
  return zone === undefined || findZone(zone) !== null
    ? 'Its date cannot be read.'
    : `Its time zone “${zone.slice(0, 60)}” is not known.`
}

/** As an officer would type them. An event until the small hours belongs to the day on which it began. */
function describeTimes(start: LocalTime, end: LocalTime | null): { date: string; time: string } {
  const isNextMorning = end?.time && start.time && end.day === addDays(start.day, 1) && end.time <= start.time
  const endsOn = end === null || end.day < start.day || isNextMorning ? start.day : end.day
  const date = formatDayRange({ startsOn: start.day, endsOn })
  return { date, time: formatHours({ startsAt: start.time, endsAt: end?.time ?? null }) ?? '' }
}

function readEnd(end: Property | undefined, duration: Property | undefined, start: LocalTime): LocalTime | null {
  const read = readTime(end)
  // The end of whole days is the day after the last one (RFC 5545, 3.6.1).
  if (read) return read.time === null ? { day: addDays(read.day, -1), time: null } : read
  const [, weeks, days, hours, minutes] =
    /^\+?P(?:(\d{1,3})W)?(?:(\d{1,4})D)?(?:T(?:(\d{1,3})H)?(?:(\d{1,4})M)?(?:\d+S)?)?$/.exec(duration?.value ?? '') ??
    []
  const length = (Number(weeks ?? 0) * 7 + Number(days ?? 0)) * 1_440 + Number(hours ?? 0) * 60 + Number(minutes ?? 0)
  if (length === 0) return null
  if (start.time === null) return { day: addDays(start.day, Math.max(0, Math.floor(length / 1_440) - 1)), time: null }
  const local = new Date(Date.parse(`${start.day}T${start.time}:00Z`) + length * 60_000).toISOString()
  return { day: local.slice(0, 10), time: local.slice(11, 16) }
}

/** In the association's time zone. A time without a zone is one of the association's. */
function readTime(property: Property | undefined): LocalTime | null {
  const [, year, month, date, hour, minute, zulu] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z)?)?$/.exec(property?.value ?? '') ?? []
  if (year === undefined) return null
  const day = `${year}-${month}-${date}`
  if (Number.isNaN(Date.parse(day)) || new Date(day).toISOString().slice(0, 10) !== day) return null
  if (hour === undefined) return { day, time: null }
  const time = `${hour}:${minute}`
  if (!/^(?:[01]\d|2[0-3]):[0-5]\d$/.test(time)) return null
  const name = property?.parameters.get('TZID')
  if (zulu === undefined && name === undefined) return { day, time }
  const zone = zulu ? 'UTC' : findZone(name ?? '')
  return zone === null ? null : inZone(instantOf({ day, time }, zone), region().timeZone)
}

function findZone(name: string): string | null {
  const known = WINDOWS_ZONES[name] ?? name
  // Some programs write a path before the name.
  const short = /[A-Za-z]+\/[A-Za-z_]+(?:\/[A-Za-z_]+)?$/.exec(known)?.[0] ?? known
  return isTimeZone(short) ? short : null
}

/** The instant of a local time; of a time that daylight saving skips, one hour later. */
function instantOf({ day, time }: { day: string; time: string }, zone: string): number {
  const wanted = Date.parse(`${day}T${time}:00Z`)
  const guess = wanted - offsetAt(wanted, zone)
  return wanted - offsetAt(guess, zone)
}

function offsetAt(instant: number, zone: string): number {
  const { day, time } = inZone(instant, zone)
  return Date.parse(`${day}T${time}:00Z`) - Math.floor(instant / 60_000) * 60_000
}

function inZone(instant: number, timeZone: string): { day: string; time: string } {
  // Sweden writes dates as ISO 8601 does.
  const text = dateFormat(
    {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    },
    'sv-SE',
  ).format(instant)
  return { day: text.slice(0, 10), time: text.slice(11, 16) }
}

/** Joins folded lines and splits them (RFC 5545, 3.1). */
function* readProperties(ics: string): Generator<Property> {
  const unfolded = ics.replace(/^\uFEFF/, '').replaceAll(/\r?\n[ \t]/g, '')
  for (const line of unfolded.split(/\r?\n/)) {
    const split = splitLine(line)
    if (!split) continue
    const [name = '', ...given] = split.head
    const parameters = given.map((one) => {
      const equals = one.indexOf('=')
      return [one.slice(0, equals).toUpperCase(), one.slice(equals + 1).replaceAll('"', '')] as const
    })
    yield { name: name.toUpperCase(), parameters: new Map(parameters), value: split.value }
  }
}

/** Name and parameters, then the value: a quoted parameter may have colons and semicolons. */
function splitLine(line: string): { head: string[]; value: string } | null {
  const match = /^((?:[^":;]|"[^"]*")+(?:;(?:[^":;]|"[^"]*")+)*):(.*)$/s.exec(line.slice(0, 100_000))
  if (!match) return null
  const [, head = '', value = ''] = match
  return { head: head.match(/(?:[^";]|"[^"]*")+/g) ?? [], value }
}

/** RFC 5545, 3.3.11. */
function unescape(text: string): string {
  return text.replaceAll(/\\([nN,;\\])/g, (_, sign: string) => (sign.toLowerCase() === 'n' ? '\n' : sign))
}

/** Google writes HTML, others plain text. */
function toHtml(text: string): string {
  if (/<(?:a|b|br|div|i|li|p|span|ul)[\s/>]/i.test(text)) return text
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return escaped.replaceAll(/\n\s*\n/g, '<br><br>').replaceAll('\n', '<br>')
}
