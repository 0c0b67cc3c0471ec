import { dateFormat } from '#contract/formatters.ts'
import type { ContentValue } from '#contract/console/content.ts'
import { formatDay } from '#contract/dates/days.ts'
import { parseEventDate } from '#contract/dates/event-dates.ts'
import { parseHours } from '#contract/dates/event-hours.ts'

/** Returns a copy with the value at a dotted path replaced. */
export function withValueAt(value: ContentValue, name: string, part: unknown): ContentValue {
  const [first = '', ...rest] = name.split('.')
  if (rest.length === 0) return { ...value, [first]: part }
  const inner = value[first]
  return { ...value, [first]: withValueAt(isObject(inner) ? inner : {}, rest.join('.'), part) }
}

export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** Joins list items with line breaks. */
export function linesOf(value: unknown): string {
  return Array.isArray(value) ? value.map(textOf).join('\n') : textOf(value)
}

/** Describes how an event's date was read. */
export function describeDateReading(text: string): { isRead: boolean; sentence: string } | null {
  if (text.trim() === '') return null
  const span = parseEventDate(text)
  if (!span) {
    const sentence = 'This date can’t be read, so the event would be listed as past.'
    return { isRead: false, sentence }
  }
  const { startsOn, endsOn } = span
  const last = endsOn === startsOn ? '' : ` to ${withWeekday(endsOn)}`
  return { isRead: true, sentence: `Read as ${withWeekday(startsOn)}${last}.` }
}

/** Describes how an event's time was read; without a time it lasts all day. */
export function describeTimeReading(text: string): string {
  const { startsAt, endsAt } = parseHours(text)
  if (!startsAt) return 'No time was found: calendars show an all-day event.'
  return endsAt ? `Read as ${onClock(startsAt)} to ${onClock(endsAt)}.` : `Read as ${onClock(startsAt)}, open end.`
}

function withWeekday(day: string): string {
  const weekday = dateFormat({ weekday: 'long', timeZone: 'UTC' })
  return `${weekday.format(new Date(`${day}T00:00:00Z`))}, ${formatDay(day)}`
}

function onClock(time: string): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return `${hour % 12 || 12}:${String(minute).padStart(2, '0')} ${hour < 12 ? 'AM' : 'PM'}`
}

function isObject(value: unknown): value is ContentValue {
  return typeof value === 'object' && value !== null
}
