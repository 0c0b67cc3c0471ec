const HOUR_MS = 3_600_000
/** The contact page promises an answer within 24-48 hours. */
const PROMISED_HOURS = 48

/** Returns when an answer is due. Times are epoch milliseconds. */
export function answerDueAt(receivedAt: number): number {
  return receivedAt + PROMISED_HOURS * HOUR_MS
}

/** Returns the hours until an answer is due, rounded up; negative if overdue. */
export function hoursLeft(receivedAt: number, now: number): number {
  return PROMISED_HOURS - Math.floor((now - receivedAt) / HOUR_MS)
}
