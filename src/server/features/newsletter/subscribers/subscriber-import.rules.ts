import { isDay } from '#contract/days.ts'
import { isEmailShaped } from '#contract/fields.ts'
import type { CsvRow } from '#server/platform/csv.ts'

/** What one line of a list says about somebody who agreed to get the newsletter. */
export interface ImportedReader {
  line: number
  email: string
  /** `YYYY-MM-DD`; null: the list names no day. */
  consentOn: string | null
  /** Where or how they agreed; null: the list does not say. */
  consentSource: string | null
}

/** A line that cannot be imported, with what stands there. */
export interface WrongReader {
  line: number
  cell: string
  sentence: string
  cure: string
}

type Column = 'email' | 'consentOn' | 'consentSource'

/** How lists call their columns, in small letters alone. */
const COLUMNS: Record<string, Column> = {
  email: 'email',
  emailaddress: 'email',
  mail: 'email',
  address: 'email',
  subscriber: 'email',
  consentdate: 'consentOn',
  consenton: 'consentOn',
  consent: 'consentOn',
  agreedon: 'consentOn',
  agreed: 'consentOn',
  date: 'consentOn',
  optindate: 'consentOn',
  optintime: 'consentOn',
  confirmtime: 'consentOn',
  subscribedon: 'consentOn',
  signupdate: 'consentOn',
  source: 'consentSource',
  evidence: 'consentSource',
  consentsource: 'consentSource',
  consentevidence: 'consentSource',
  sourceevidence: 'consentSource',
  how: 'consentSource',
  where: 'consentSource',
  optinsource: 'consentSource',
}

const LONGEST_SOURCE = 200
const LONGEST_EMAIL = 254

/**
 * Reads a list: columns under a heading, or bare addresses, one a line. A second line of the same address is passed over.
 * @param today days after it are refused: nobody has agreed there yet
 * @throws Error with a sentence, where no column holds addresses
 */
export function readReaders(
  rows: readonly CsvRow[],
  today: string,
): { readers: ImportedReader[]; wrong: WrongReader[] } {
  const isBare = rows[0]?.cells.some((cell) => isEmailShaped(cell.trim())) ?? false
  const columns: (Column | null)[] = isBare ? ['email'] : columnsOf(rows[0]?.cells ?? [])
  if (!columns.includes('email')) {
    throw new Error('The file has no column of email addresses. Name one "email", or write one address a line.')
  }
  const readers = new Map<string, ImportedReader>()
  const wrong: WrongReader[] = []
  for (const { line, cells } of isBare ? rows : rows.slice(1)) {
    const cell = (column: Column) => cells[columns.indexOf(column)]?.trim() ?? ''
    const read = readReader(
      { line, email: cell('email'), day: cell('consentOn'), source: sourceOf(columns, cells) },
      today,
    )
    if ('sentence' in read) wrong.push(read)
    else if (!readers.has(read.email.toLowerCase())) readers.set(read.email.toLowerCase(), read)
  }
  return { readers: [...readers.values()], wrong }
}

function columnsOf(heading: readonly string[]): (Column | null)[] {
  return heading.map((words) => COLUMNS[words.toLowerCase().replaceAll(/[^a-z]/g, '')] ?? null)
}

/** A list may tell the source in one column and the evidence in another. */
function sourceOf(columns: readonly (Column | null)[], cells: readonly string[]): string {
  return columns
    .flatMap((column, index) => (column === 'consentSource' ? (cells[index]?.trim() ?? '') : []))
    .filter(Boolean)
    .join('; ')
}

function readReader(
  { line, email, day, source }: { line: number; email: string; day: string; source: string },
  today: string,
): ImportedReader | WrongReader {
  if (!isEmailShaped(email) || email.length > LONGEST_EMAIL) {
    return { line, cell: email, sentence: 'This is not an email address.', cure: 'Write one like name@example.org.' }
  }
  const consentOn = day === '' ? null : readDay(day)
  if (day !== '' && consentOn === null) {
    const cure = 'Write the day of the consent as 2026-03-02, or as 3/2/2026 with the month first.'
    return { line, cell: day, sentence: 'This is not a day.', cure }
  }
  if (consentOn !== null && consentOn > today) {
    return { line, cell: day, sentence: 'This day is still to come.', cure: 'Write the day on which they agreed.' }
  }
  return { line, email, consentOn, consentSource: source === '' ? null : source.slice(0, LONGEST_SOURCE) }
}

/** A day, also as spreadsheets here write it and with a time after it; null for anything else. */
function readDay(text: string): string | null {
  const [date = ''] = text.split(/[T ]/)
  const [, month, day, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(date) ?? []
  const written = month && day && year ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : date
  return isDay(written) ? written : null
}
