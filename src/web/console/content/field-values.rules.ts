import type { ContentValue } from '#contract/console-content.ts'
import { writeDay } from '#contract/days.ts'
import { readEventDate } from '#contract/event-dates.ts'
import { readHours } from '#contract/event-hours.ts'

/** Of `address.city`; undefined where nothing was filled in. */
export function valueAt(value: ContentValue, name: string): unknown {
  return name
    .split('.')
    .reduce<unknown>((inner, part) => (isObject(inner) && Object.hasOwn(inner, part) ? inner[part] : undefined), value)
}

/** The same with another part. */
export function withPart(value: ContentValue, name: string, part: unknown): ContentValue {
  const [first = '', ...rest] = name.split('.')
  if (rest.length === 0) return { ...value, [first]: part }
  const inner = value[first]
  return { ...value, [first]: withPart(isObject(inner) ? inner : {}, rest.join('.'), part) }
}

export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** Each on a line of its own. */
export function linesOf(value: unknown): string {
  return Array.isArray(value) ? value.map(textOf).join('\n') : textOf(value)
}

/** What the site understands of an event's date, in words. */
export function readingOfDate(text: string): { isRead: boolean; words: string } | null {
  if (text.trim() === '') return null
  const span = readEventDate(text)
  if (!span) {
    const words = 'No day of the calendar can be read in this, so the event would stand among the past ones.'
    return { isRead: false, words }
  }
  const { startsOn, endsOn } = span
  const last = endsOn === startsOn ? '' : ` to ${withWeekday(endsOn)}`
  return { isRead: true, words: `Read as ${withWeekday(startsOn)}${last}.` }
}

/** The same for its hours; null when no hour is named, which means the whole day. */
export function readingOfTime(text: string): string {
  const { startsAt, endsAt } = readHours(text)
  if (!startsAt) return 'No hours are read in this: the calendar shows the whole day.'
  return endsAt ? `Read as ${onClock(startsAt)} to ${onClock(endsAt)}.` : `Read as ${onClock(startsAt)}, open end.`
}

function withWeekday(day: string): string {
  const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' })
  return `${weekday.format(new Date(`${day}T00:00:00Z`))}, ${writeDay(day)}`
}

function onClock(time: string): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return `${hour % 12 || 12}:${String(minute).padStart(2, '0')} ${hour < 12 ? 'AM' : 'PM'}`
}

function isObject(value: unknown): value is ContentValue {
  return typeof value === 'object' && value !== null
}
