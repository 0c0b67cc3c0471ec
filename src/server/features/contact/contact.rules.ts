const HOUR_MS = 3_600_000
/** The page promises an answer within 24-48 hours. */
const PROMISED_HOURS = 48

/** Until when an answer was promised. Instants are epoch milliseconds. */
export function answerDue(receivedAt: number): number {
  return receivedAt + PROMISED_HOURS * HOUR_MS
}

/** Whole hours until an answer is due, the one begun counted; negative once it is late. */
export function hoursLeft(receivedAt: number, now: number): number {
  return PROMISED_HOURS - Math.floor((now - receivedAt) / HOUR_MS)
}
