import { isDay, MONTHS } from '#contract/dates/days.ts'

/** More characters than any day with its time has. */
const LONGEST = 100

/**
 * Normalizes a day as `2026-03-02`: ISO, `3/2/2026` as US spreadsheets write it, `2 Mar 2026` and `March 2, 2026`, each also with a time of day. Returns any other text
 * unchanged.
 * @param isDayFirst `3/2/2026` is the third of February
 */
export function readDay(text: string, isDayFirst = false): string {
  // The pattern below is slow on long runs of spaces.
  if (text.length > LONGEST) return text
  const date = text.replace(/(?:T|,?\s+)\d{1,2}:\d{2}.*$/, '')
  return readSlashes(date, isDayFirst) ?? readMonthName(date) ?? (isDay(date) ? date : text)
}

function readSlashes(date: string, isDayFirst: boolean): string | null {
  const [, first, second, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(date) ?? []
  if (!first || !second || !year) return null
  return isDayFirst ? dayOf(year, second, first) : dayOf(year, first, second)
}

function readMonthName(date: string): string | null {
  const [, day, name] = /^(\d{1,2})(?: |-)([A-Za-z]{3,9})\.?,?(?: |-)\d{4}$/.exec(date) ?? []
  const [, otherName, otherDay] = /^([A-Za-z]{3,9})\.? (\d{1,2}),? \d{4}$/.exec(date) ?? []
  const written = (name ?? otherName ?? '').toLowerCase()
  const month = MONTHS.findIndex((one) => written.length >= 3 && one.toLowerCase().startsWith(written)) + 1
  return month === 0 ? null : dayOf(date.slice(-4), String(month), day ?? otherDay ?? '')
}

function dayOf(year: string, month: string, day: string): string | null {
  const written = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isDay(written) ? written : null
}
