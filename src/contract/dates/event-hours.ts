/** Times in the association's time zone, `HH:MM`; null if not given. An end that is not after the start is on the next day. */
export interface Hours {
  startsAt: string | null
  endsAt: string | null
}

/** A time as written: 1 to 12 with AM or PM, or 0 to 23 if that is undecided. */
interface Reading {
  hour: number
  minute: number
  half: 'a' | 'p' | null
}

const HOUR = String.raw`(?<![\d/:])(?:(\d{1,2})(?::(\d{2}))?(?::\d{2})?(?![\d/])(?:\s?([ap])\.?\s?m\b)?|\b(noon|midnight)\b)`
const HOURS = new RegExp(String.raw`${HOUR}(?:\.?\s*(?:-|\bto\b|\buntil\b|\btill\b)\s*${HOUR})?`, 'g')
/** What marks a number as a time: a colon, AM or PM, or a word. */
const IS_HOUR = /:|[ap]\.?\s?m\b|noon|midnight/
const ENDS_IN_MONTH = /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s*$/
const NONE: Hours = { startsAt: null, endsAt: null }

/**
 * Parses the times in a text: '6:00 PM to 10:00 PM', '6-10 PM', '18:00 - 22:00', 'noon to 3 PM', also at the end of a date. A missing AM or PM is
 * taken from the other side, so that a range spans midnight only if the text says so.
 */
export function parseHours(text: string): Hours {
  const plain = normalise(text)
  const found = hoursIn(plain)
  if (!found) return NONE
  const first = readingOf(found.slice(1, 5))
  const last = readingOf(found.slice(5, 9))
  // 'December 12-2 PM' is a day and one time.
  if (last && ENDS_IN_MONTH.test(plain.slice(0, found.index))) return { ...NONE, startsAt: clockText(last) }
  if (!first) return NONE
  return last ? between(first, last) : { ...NONE, startsAt: clockText(first) }
}

/** The rest of a text without its times. */
export function withoutHours(text: string): string {
  const plain = normalise(text)
  const found = hoursIn(plain)
  return found ? `${plain.slice(0, found.index)} ${plain.slice(found.index + found[0].length)}` : plain
}

/** '6:00 PM to 10:00 PM', which `parseHours` parses. null if no time is known. */
export function formatHours({ startsAt, endsAt }: Hours): string | null {
  if (startsAt === null) return null
  return endsAt === null ? writeHour(startsAt) : `${writeHour(startsAt)} to ${writeHour(endsAt)}`
}

function writeHour(time: string): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return `${hour % 12 || 12}:${String(minute).padStart(2, '0')} ${hour < 12 ? 'AM' : 'PM'}`
}

function normalise(text: string): string {
  return text
    .slice(0, 200)
    .toLowerCase()
    .replaceAll(/[\u2010-\u2015\u2212]/g, '-')
    .replaceAll(/\s+/g, ' ')
}

function hoursIn(plain: string): RegExpExecArray | undefined {
  return [...plain.matchAll(HOURS)].find(([whole]) => IS_HOUR.test(whole))
}

function readingOf([hour, minute = '0', half, word]: (string | undefined)[]): Reading | null {
  if (word) return { hour: 12, minute: 0, half: word === 'noon' ? 'p' : 'a' }
  const reading = { hour: Number(hour), minute: Number(minute), half: (half ?? null) as Reading['half'] }
  const isHour = half ? reading.hour >= 1 && reading.hour <= 12 : reading.hour <= 23
  return hour !== undefined && isHour && reading.minute <= 59 ? reading : null
}

function between(first: Reading, last: Reading): Hours {
  const half = first.half ?? last.half
  // In 24-hour format an end before the start is a mistake ('9:00 - 5:00'), not a range past midnight.
  if (!half) return { startsAt: clockText(first), endsAt: isBefore(first, last) ? clockText(last) : null }
  const other = half === 'a' ? 'p' : 'a'
  if (first.half && last.half) return { startsAt: clockText(first), endsAt: clockText(last) }
  const [start, end] = first.half
    ? [first, isBefore(first, { ...last, half }) ? { ...last, half } : { ...last, half: other as Reading['half'] }]
    : [isBefore({ ...first, half }, last) ? { ...first, half } : { ...first, half: other as Reading['half'] }, last]
  return { startsAt: clockText(start), endsAt: clockText(end) }
}

function isBefore(a: Reading, b: Reading): boolean {
  return clockText(a) < clockText(b)
}

function clockText({ hour, minute, half }: Reading): string {
  const hours = half && hour <= 12 ? (hour % 12) + (half === 'p' ? 12 : 0) : hour
  return `${String(hours).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
}
