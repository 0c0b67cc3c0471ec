/// <reference lib="esnext.temporal" />

/** The instant `YYYY-MM-DDTHH:MM` means on a zone's clock, in epoch milliseconds; null when it means none. An hour that the clock leaves out is the one after. */
export function instantOf(local: string, timeZone: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(local)) return null
  try {
    return Temporal.PlainDateTime.from(local).toZonedDateTime(timeZone).epochMilliseconds
  } catch {
    return null
  }
}

/** What a zone's clock shows at an instant, as `YYYY-MM-DDTHH:MM`. */
export function localOf(instant: number, timeZone: string): string {
  const there = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone)
  return there.toPlainDateTime().toString({ smallestUnit: 'minute' })
}

/** The first instant of a day (`YYYY-MM-DD`) on a zone's calendar, in epoch milliseconds; midnight, or later where the clock leaves midnight out. */
export function startOfDay(day: string, timeZone: string): number {
  return Temporal.PlainDate.from(day).toZonedDateTime(timeZone).epochMilliseconds
}
