import { addDays, dayText, MONTHS, type DayParts, type DaySpan } from './days.ts'

const MONTH_NUMBERS = new Map(
  MONTHS.flatMap((name, index) => [name, name.slice(0, 3)].map((word) => [word.toLowerCase(), index + 1] as const)),
).set('sept', 9)
const RANGE_WORDS = new Set(['to', 'through', 'thru', 'until', 'till'])
const SILENT_WORDS = /^(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?|the|of)$/

// No real date is longer; text pasted by mistake is rejected cheaply.
const LONGEST_TEXT = 200
const CLOCK_TIME = String.raw`\d{1,2}(?::\d{2}){0,2}\s?[ap]\.?\s?m\b\.?|\d{1,2}:\d{2}(?::\d{2})?|\bnoon\b|\bmidnight\b`
/** '6-' of '6-10 PM', but not '12-' of 'December 12-2 PM'. */
const HOUR_BEFORE = String.raw`(?<!\d|\b(?:${[...MONTH_NUMBERS.keys()].join('|')})\.?,?\s)\d{1,2}\s?(?:-|to)\s?`

const TOKEN = new RegExp(
  [
    String.raw`(?<iso>(?<!\d)\d{4}-\d{2}-\d{2}(?!\d))`,
    String.raw`(?<figures>(?<![\d/])\d{1,2}/\d{1,2}/(?:\d{2}|\d{4})(?![\d/]))`,
    `(?<time>(?:${HOUR_BEFORE})?(?<!\\d)(?:${CLOCK_TIME}))`,
    String.raw`(?<year>(?<!\d)(?:19|20)\d{2}(?!\d))`,
    String.raw`(?<day>(?<!\d)\d{1,2})(?:st|nd|rd|th)?(?![\da-z])`,
    String.raw`(?<word>[a-z]+)`,
    String.raw`(?<dash>-|(?<=-\d{2})/)`,
    '(?<and>&)',
    String.raw`(?<other>\d+)`,
  ].join('|'),
  'g',
)

/**
 * Encodes each token as one character: a whole day (I), a Month, a Day, a Year, a dash (-), an 'and' (&) or any other word (w). Patterns are then
 * matched against the string of these characters.
 */
interface Tokens {
  kinds: string
  texts: string[]
}

/** A whole day, or two separated by a dash. */
const WHOLE_DAYS = /(?<start>I)(?:-(?<end>I))?/d
/** 'December 12', '12 December', '12-Dec-2026' or the '12' of '12-14 December'; then a last day after a dash, or further days up to an 'and'. */
const WRITTEN_DAYS =
  /(?<start>D-M-Y|MDY?|DMY?(?!D)|D(?=-DM))(?:-(?<end>MDY?|DMY?|DY?)|(?<between>D*)&(?<last>MDY?|DMY?|DY?))?/d

/**
 * Parses the date text of an event to its first and last day. Numeric dates are matched first ('2026-12-12', '12/12/2026'); otherwise the first day
 * is the one before the first dash, and a missing month or year is taken from the rest. null if there is no such day, as in 'February 30, 2026',
 * 'December 12' or 'To be announced'.
 */
export function parseEventDate(text: string): DaySpan | null {
  const tokens = tokensOf(text)
  const found = WHOLE_DAYS.exec(tokens.kinds) ?? WRITTEN_DAYS.exec(tokens.kinds)
  const start = partsAt(tokens, found?.indices?.groups?.['start'])
  const end = partsAt(tokens, found?.indices?.groups?.['end'])
  const last = partsAt(tokens, found?.indices?.groups?.['last'])

  const month = start.month ?? end.month
  const startsOn = dayText({
    ...start,
    month,
    year: start.year ?? yearBefore(month, end) ?? yearBefore(month, last) ?? partsAt(tokens, [0, Infinity]).year,
  })
  if (!startsOn) return null

  const endsOn = dayText(borrowed(end, startsOn))
  const count = 1 + (found?.groups?.['between']?.length ?? 0)
  const lastOn = dayText(borrowed(last, startsOn))
  // Days joined by 'and' form one span only if they are consecutive.
  if (lastOn === addDays(startsOn, count)) return { startsOn, endsOn: lastOn }
  return { startsOn, endsOn: endsOn && endsOn > startsOn ? endsOn : startsOn }
}

/** Whether the text contains nothing but the days that `parseEventDate` finds, so that the site may reformat it. */
export function isDateOnly(text: string): boolean {
  const span = parseEventDate(text)
  const { kinds } = tokensOf(text.replaceAll(/\b(?:from|on|at)\b/gi, ' '))
  const found = WHOLE_DAYS.exec(kinds) ?? WRITTEN_DAYS.exec(kinds)
  if (!span || !found || namesHours(text) || /[^Y]/.test(kinds.replace(found[0], ''))) return false
  const isRange = found.groups?.['end'] !== undefined || found.groups?.['last'] !== undefined
  return isRange === span.endsOn > span.startsOn
}

function namesHours(text: string): boolean {
  return [...normalise(text).matchAll(TOKEN)].some(({ groups }) => groups?.['time'] !== undefined)
}

function tokensOf(text: string): Tokens {
  let kinds = ''
  const texts: string[] = []
  for (const { groups = {}, 0: whole } of normalise(text).matchAll(TOKEN)) {
    const kind = kindOf(groups)
    if (!kind) continue
    kinds += kind
    texts.push(groups['day'] ?? whole)
  }
  return { kinds, texts }
}

function normalise(text: string): string {
  return text
    .slice(0, LONGEST_TEXT)
    .toLowerCase()
    .replaceAll(/[\u2010-\u2015\u2212]/g, '-')
    .replaceAll(/\s+/g, ' ')
}

/** '' for words that carry no meaning in a date: times, weekdays and small words. */
function kindOf({ iso, figures, time, year, day, word, dash, and }: Record<string, string | undefined>): string {
  if (iso ?? figures) return 'I'
  if (year) return 'Y'
  if (day) return 'D'
  if (dash) return '-'
  if (and) return '&'
  if (time) return ''
  if (!word) return 'w'
  if (MONTH_NUMBERS.has(word)) return 'M'
  if (RANGE_WORDS.has(word)) return '-'
  if (word === 'and') return '&'
  return SILENT_WORDS.test(word) ? '' : 'w'
}

/** The first token of each kind between two positions. */
function partsAt({ kinds, texts }: Tokens, range: readonly [number, number] | undefined): DayParts {
  const parts: DayParts = {}
  if (!range) return parts
  for (const [index, text] of texts.slice(...range).entries()) {
    const kind = kinds[range[0] + index]
    if (kind === 'I') return figuresOf(text)
    if (kind === 'M') parts.month ??= MONTH_NUMBERS.get(text) as number
    if (kind === 'D') parts.day ??= Number(text)
    if (kind === 'Y') parts.year ??= Number(text)
  }
  return parts
}

/** Parses '2026-12-12', '12/12/2026' and '12/12/26', month first as in the United States. */
function figuresOf(text: string): DayParts {
  const [first = 0, second = 0, third = 0] = text.split(/[-/]/).map(Number)
  if (text.includes('-')) return { year: first, month: second, day: third }
  return { year: third < 100 ? 2000 + third : third, month: first, day: second }
}

/** A range that ends in January of a given year started in the year before, if its first month is later. */
function yearBefore(firstMonth: number | undefined, { year, month }: DayParts): number | undefined {
  if (year === undefined || month === undefined || firstMonth === undefined) return year
  return firstMonth > month ? year - 1 : year
}

function borrowed({ year, month, day }: DayParts, startsOn: string): DayParts {
  const [startYear = 0, startMonth = 0] = startsOn.split('-').map(Number)
  const inMonth = month ?? startMonth
  return { year: year ?? (inMonth < startMonth ? startYear + 1 : startYear), month: inMonth, day }
}
