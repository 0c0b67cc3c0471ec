/** Noon in UTC, which is the same calendar day in every US time zone. Terms set by officers start and end at noon. */
export function noonUtc(day: string): number {
  return Date.parse(`${day}T12:00:00Z`)
}
