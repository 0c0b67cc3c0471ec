import { addDays } from '#contract/dates/days.ts'

/** The mark in the structured data of the public page on one day. It tells nothing about the reader. */

const MARK_BYTES = 9
const MARK = /\b[0-9a-f]{18}\b/g
/** How long marks are recognized. */
const DAYS = 1_100

/** @param token of the day */
export function markOf(token: string): string {
  return Buffer.from(token, 'base64url').subarray(0, MARK_BYTES).toString('hex')
}

/** The days whose marks are in a text, newest first. */
export function markedDays(text: string, today: string, tokenOf: (day: string) => string): string[] {
  const candidates = new Set(text.match(MARK))
  if (candidates.size === 0) return []
  return Array.from({ length: DAYS }, (_, ago) => addDays(today, -ago)).filter((day) =>
    candidates.has(markOf(tokenOf(day))),
  )
}
