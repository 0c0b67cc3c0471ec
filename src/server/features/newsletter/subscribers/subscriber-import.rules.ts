import { isDay } from '#contract/dates/days.ts'
import { isEmailShaped } from '#contract/fields.ts'
import type { CsvRow } from '#server/lib/csv/csv.ts'

/** One line of an import file: a person who agreed to receive the newsletter. */
export interface ImportedSubscriber {
  line: number
  email: string
  /** `YYYY-MM-DD`; null: not in the file. */
  consentOn: string | null
  /** Where or how they agreed; null: not in the file. */
  consentSource: string | null
}

/** A line that cannot be imported, with the invalid cell. */
export interface InvalidImportRow {
  line: number
  cell: string
  sentence: string
  cure: string
}

type Column = 'email' | 'consentOn' | 'consentSource'

/** Known column headings, reduced to a-z. */
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

const MAX_SOURCE_LENGTH = 200
const MAX_EMAIL_LENGTH = 254

/**
 * Parses an import file: columns with headings, or one address per line. Repeated addresses are skipped.
 * @param today later consent dates are rejected
 * @throws Error if no column holds addresses
 */
export function parseSubscriberRows(
  rows: readonly CsvRow[],
  today: string,
): { subscribers: ImportedSubscriber[]; invalidRows: InvalidImportRow[] } {
  const isBare = rows[0]?.cells.some((cell) => isEmailShaped(cell.trim())) ?? false
  const columns: (Column | null)[] = isBare ? ['email'] : columnsOf(rows[0]?.cells ?? [])
  if (!columns.includes('email')) {
    throw new Error(
      'The file has no column of email addresses. Name a column "email", or put one address on each line.',
    )
  }
  const subscribers = new Map<string, ImportedSubscriber>()
  const invalidRows: InvalidImportRow[] = []
  for (const { line, cells } of isBare ? rows : rows.slice(1)) {
    const cell = (column: Column) => cells[columns.indexOf(column)]?.trim() ?? ''
    const read = readReader(
      { line, email: cell('email'), day: cell('consentOn'), source: sourceOf(columns, cells) },
      today,
    )
    if ('sentence' in read) invalidRows.push(read)
    else if (!subscribers.has(read.email.toLowerCase())) subscribers.set(read.email.toLowerCase(), read)
  }
  return { subscribers: [...subscribers.values()], invalidRows }
}

function columnsOf(heading: readonly string[]): (Column | null)[] {
  return heading.map((name) => COLUMNS[name.toLowerCase().replaceAll(/[^a-z]/g, '')] ?? null)
}

/** A file may have the source in one column and the evidence in another. */
function sourceOf(columns: readonly (Column | null)[], cells: readonly string[]): string {
  return columns
    .flatMap((column, index) => (column === 'consentSource' ? (cells[index]?.trim() ?? '') : []))
    .filter(Boolean)
    .join('; ')
}

function readReader(
  { line, email, day, source }: { line: number; email: string; day: string; source: string },
  today: string,
): ImportedSubscriber | InvalidImportRow {
  if (!isEmailShaped(email) || email.length > MAX_EMAIL_LENGTH) {
    return { line, cell: email, sentence: 'This is not an email address.', cure: 'Use a form like name@example.org.' }
  }
  const consentOn = day === '' ? null : readDay(day)
  if (day !== '' && consentOn === null) {
    const cure = 'Write the consent date as 2026-03-02, or as 3/2/2026 with the month first.'
    return { line, cell: day, sentence: 'This is not a date.', cure }
  }
  if (consentOn !== null && consentOn > today) {
    return { line, cell: day, sentence: 'This date is in the future.', cure: 'Write the date on which they agreed.' }
  }
  return { line, email, consentOn, consentSource: source === '' ? null : source.slice(0, MAX_SOURCE_LENGTH) }
}

/** Accepts ISO and US dates, with or without a time; null for anything else. */
function readDay(text: string): string | null {
  const [date = ''] = text.split(/[T ]/)
  const [, month, day, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(date) ?? []
  const isoDate = month && day && year ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : date
  return isDay(isoDate) ? isoDate : null
}
