/// <reference lib="esnext.temporal" />

/** Parses local time `YYYY-MM-DDTHH:MM` in a time zone to epoch milliseconds; null when invalid. Times skipped by daylight saving move forward. */
export function parseLocalTime(local: string, timeZone: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(local)) return null
  try {
    return Temporal.PlainDateTime.from(local).toZonedDateTime(timeZone).epochMilliseconds
  } catch {
    return null
  }
}

/** Formats an instant as local time `YYYY-MM-DDTHH:MM` in a time zone. */
export function formatLocalTime(instant: number, timeZone: string): string {
  const zoned = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone)
  return zoned.toPlainDateTime().toString({ smallestUnit: 'minute' })
}

/** Returns the start of a day (`YYYY-MM-DD`) in a time zone in epoch milliseconds; later than midnight where daylight saving skips it. */
export function startOfDay(day: string, timeZone: string): number {
  return Temporal.PlainDate.from(day).toZonedDateTime(timeZone).epochMilliseconds
}
