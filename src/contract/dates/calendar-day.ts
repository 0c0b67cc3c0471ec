/** Arithmetic with calendar days, `YYYY-MM-DD`; see `days.ts`. */
export interface DayParts {
  year?: number | undefined
  month?: number | undefined
  day?: number | undefined
}

/** `YYYY-MM-DD`; null if there is no such day. */
export function dayText({ year, month, day }: DayParts): string | null {
  if (year === undefined || month === undefined || day === undefined) return null
  const date = new Date(Date.UTC(year, month - 1, day))
  const exists = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return exists ? date.toISOString().slice(0, 10) : null
}

/** Whether a text is an existing calendar day, written `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []
  return dayText({ year: Number(year), month: Number(month), day: Number(day) }) !== null
}

/** Adds a number of calendar days. */
export function addDays(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + days)
  return date.toISOString().slice(0, 10)
}

/** 0 for Sunday. */
export function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay()
}
