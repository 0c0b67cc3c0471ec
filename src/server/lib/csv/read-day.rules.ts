import { isDay, MONTHS } from '#contract/dates/days.ts'

/** More characters than any day with its time has. */
const LONGEST = 100

/** 3/2/2026, 3.2.2026 or 3-2-2026. */
const FIGURES = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})$/

/**
 * Normalizes a day as `2026-03-02`: ISO, `3/2/2026` as spreadsheets write it, `2 Mar 2026` and `March 2, 2026`, each also with a time of day. Returns any other text
 * unchanged.
 * @param isDayFirst `3/2/2026` is the third of February
 */
export function readDay(text: string, isDayFirst = false): string {
  const date = withoutTime(text)
  if (date === null) return text
  return readFigures(date, isDayFirst) ?? readMonthName(date) ?? (isDay(date) ? date : text)
}

/**
 * Whether a file writes the day before the month: as those of its days show that can be read in one way only, such as 13/2/2026. Without any, or if they contradict
 * each other, as is usual.
 */
export function readsDayFirst(texts: Iterable<string>, usual: boolean): boolean {
  const shown = new Set<boolean>()
  for (const text of texts) {
    const [, first, , second] = FIGURES.exec(withoutTime(text.trim()) ?? '') ?? []
    if (Number(first) > 12 !== Number(second) > 12) shown.add(Number(first) > 12)
  }
  return shown.size === 1 ? shown.has(true) : usual
}

function withoutTime(text: string): string | null {
  // The pattern is slow on long runs of spaces.
  return text.length > LONGEST ? null : text.replace(/(?:T|,?\s+)\d{1,2}:\d{2}.*$/, '')
}

function readFigures(date: string, isDayFirst: boolean): string | null {
  const [, first, , second, year] = FIGURES.exec(date) ?? []
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
