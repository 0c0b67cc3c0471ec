const DAY_MS = 86_400_000

/** Noon in UTC, which is the same calendar day in every US time zone. Terms set by officers start and end at noon. */
export function noonUtc(day: string): number {
  return Date.parse(`${day}T12:00:00Z`)
}

/**
 * The time of a payment that was received on a day: noon, as for terms, but never later than now. Otherwise a payment
 * recorded in the early morning would come after its own refund.
 */
export function paidAtOn(day: string, now: number): number {
  return Math.min(noonUtc(day), now)
}

/** Whether a typed day is later than tomorrow: tomorrow is allowed, since an officer may be in a zone ahead. */
export function isFutureDay(day: string, now: number): boolean {
  return noonUtc(day) > now + DAY_MS
}
