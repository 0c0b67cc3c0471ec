import { isDateOnly, parseEventDate } from './event-dates.ts'
import { parseHours, withoutHours, formatHours } from './event-hours.ts'
import { formatDayRange } from './days.ts'

interface When {
  date: string
  time: string | null
}

/**
 * Formats an event's date and time uniformly, however an officer typed them. A text that says more ('December 12, 2026, rain or shine') or that
 * cannot be parsed is shown as typed.
 */
export function formatEventTimes({ date, time }: When): When {
  if (time !== null) return { date: writeDate(date), time: writeTime(time) }
  const hours = formatHours(parseHours(date))
  const rest = withoutHours(date)
  const isSameDay = JSON.stringify(parseEventDate(rest)) === JSON.stringify(parseEventDate(date))
  if (hours === null || !isSameDay || !isDateOnly(rest)) return { date: writeDate(date), time: null }
  return { date: writeDate(rest), time: hours }
}

function writeDate(text: string): string {
  const span = isDateOnly(text) ? parseEventDate(text) : null
  return span ? formatDayRange(span) : text
}

function writeTime(text: string): string {
  const says = withoutHours(text).replaceAll(/\b(?:from|at)\b|[^a-z\d]/g, '')
  return says === '' ? (formatHours(parseHours(text)) ?? text) : text
}
