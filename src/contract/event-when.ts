import { isWholeDate, readEventDate } from './event-dates.ts'
import { readHours, withoutHours, writeHours } from './event-hours.ts'
import { writeDayRange } from './days.ts'

interface When {
  date: string
  time: string | null
}

/**
 * When an event is, in the one way the site writes dates and hours, however an officer typed them. A text that says more than that
 * ('December 12, 2026, rain or shine') or that cannot be read is shown as it was typed.
 */
export function writeWhen({ date, time }: When): When {
  if (time !== null) return { date: writeDate(date), time: writeTime(time) }
  const hours = writeHours(readHours(date))
  const rest = withoutHours(date)
  const isSameDay = JSON.stringify(readEventDate(rest)) === JSON.stringify(readEventDate(date))
  if (hours === null || !isSameDay || !isWholeDate(rest)) return { date: writeDate(date), time: null }
  return { date: writeDate(rest), time: hours }
}

function writeDate(text: string): string {
  const span = isWholeDate(text) ? readEventDate(text) : null
  return span ? writeDayRange(span) : text
}

function writeTime(text: string): string {
  const says = withoutHours(text).replaceAll(/\b(?:from|at)\b|[^a-z\d]/g, '')
  return says === '' ? (writeHours(readHours(text)) ?? text) : text
}
