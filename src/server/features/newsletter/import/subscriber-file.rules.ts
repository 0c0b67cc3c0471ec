import { dayForms, writesDayFirst } from '#contract/dates/day-order.ts'
import { isDay } from '#contract/dates/days.ts'
import { isEmailShaped } from '#contract/fields.ts'
import type { ReaderSystem, WholeList } from '#contract/console/subscribers.ts'
import { region } from '#contract/region.ts'
import type { CsvRow } from '#server/lib/csv/csv.ts'
import { readDay, readsDayFirst } from '#server/lib/csv/read-day.rules.ts'
import {
  readStatus,
  recognizeReaderSystem,
  statusOfFilename,
  statusOfList,
  strictest,
  type ReaderStatus,
} from './reader-status.rules.ts'

/** One line of an import file: what another system says about an address. */
export interface ImportedSubscriber {
  line: number
  email: string
  status: ReaderStatus
  /** The day of the consent, or the one on which it ended, `YYYY-MM-DD`; null: not in the file. */
  on: string | null
  /** Where or how they agreed; null: not in the file. */
  source: string | null
}

/** A line that cannot be imported, with the invalid cell. */
export interface InvalidImportRow {
  line: number
  cell: string
  sentence: string
  cure: string
}

type Column =
  | 'email'
  | 'confirmedOn'
  | 'consentOn'
  | 'consentSource'
  | 'status'
  | 'unsubscribedOn'
  | 'bouncedOn'
  | 'changedOn'
  | 'deleted'

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
  confirmtime: 'confirmedOn',
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
  sourcename: 'consentSource',
  emailupdatesource: 'consentSource',
  createdat: 'consentOn',
  dateadded: 'consentOn',
  status: 'status',
  state: 'status',
  emailstatus: 'status',
  emailpermissionstatus: 'status',
  subscriptionstatus: 'status',
  subscriberstatus: 'status',
  subscribedtoemails: 'status',
  unsubtime: 'unsubscribedOn',
  unsubscribedat: 'unsubscribedOn',
  unsubscribedon: 'unsubscribedOn',
  unsubscribedate: 'unsubscribedOn',
  confirmedoptoutdate: 'unsubscribedOn',
  optoutdate: 'unsubscribedOn',
  cleantime: 'bouncedOn',
  bouncedat: 'bouncedOn',
  bouncedon: 'bouncedOn',
  lastchanged: 'changedOn',
  deletedat: 'deleted',
}

const DAYS: ReadonlySet<Column | null> = new Set([
  'confirmedOn',
  'consentOn',
  'unsubscribedOn',
  'bouncedOn',
  'changedOn',
] as const)

const MAX_SOURCE_LENGTH = 200
const MAX_EMAIL_LENGTH = 254

/**
 * Parses an import file: columns with headings, or one address per line. Of an address that is there twice, the stricter status counts.
 * @param today later consent dates are rejected
 * @param given the name of the file, which can tell the status of all rows, and what the officer says about them
 * @throws Error if no column holds addresses
 */
export function parseSubscriberRows(
  rows: readonly CsvRow[],
  today: string,
  { filename, list }: { filename: string; list: WholeList } = { filename: '', list: 'file' },
): { system: ReaderSystem | null; subscribers: ImportedSubscriber[]; invalidRows: InvalidImportRow[] } {
  const isBare = rows[0]?.cells.some((cell) => isEmailShaped(cell.trim())) ?? false
  const headings = isBare ? [] : (rows[0]?.cells ?? []).map(plainHeading)
  const columns: (Column | null)[] = isBare ? ['email'] : headings.map((name) => COLUMNS[name] ?? null)
  if (!columns.includes('email')) {
    throw new Error(
      'The file has no column of email addresses. Name a column "email", or put one address on each line.',
    )
  }
  const system = recognizeReaderSystem(headings)
  // Mailchimp's file of those who never subscribed has the columns of its subscribers.
  const needsConfirmation = system === 'mailchimp' && columns.includes('confirmedOn')
  const ofAll = strictest([statusOfFilename(filename), statusOfList(list)])
  const days = rows.flatMap(({ cells }) => cells.filter((_, index) => DAYS.has(columns[index] ?? null)))
  const isDayFirst = readsDayFirst(days, writesDayFirst(region().country))
  const subscribers = new Map<string, ImportedSubscriber>()
  const invalidRows: InvalidImportRow[] = []
  for (const { line, cells } of isBare ? rows : rows.slice(1)) {
    const read = readReader(
      { line, columns, cells },
      { today, ofAll, needsConfirmation, isDayFirst, source: SOURCES[system ?? 'other'] },
    )
    if ('sentence' in read) {
      invalidRows.push(read)
      continue
    }
    const key = read.email.toLowerCase()
    const before = subscribers.get(key)
    if (!before || (before.status !== read.status && strictest([before.status, read.status]) === read.status))
      subscribers.set(key, read)
  }
  return { system, subscribers: [...subscribers.values()], invalidRows }
}

/** Where the owners agreed, if the export of a system does not say it. */
const SOURCES = {
  mailchimp: 'Mailchimp',
  ghost: 'Ghost',
  'constant-contact': 'Constant Contact',
  sender: 'Sender.net',
  other: '',
} as const

const plainHeading = (name: string) => name.toLowerCase().replaceAll(/[^a-z]/g, '')

function readReader(
  { line, columns, cells }: { line: number; columns: readonly (Column | null)[]; cells: readonly string[] },
  {
    today,
    ofAll,
    needsConfirmation,
    source,
    isDayFirst,
  }: { today: string; ofAll: ReaderStatus; needsConfirmation: boolean; source: string; isDayFirst: boolean },
): ImportedSubscriber | InvalidImportRow {
  /** A file may have the source in one column and the evidence in another, or two columns with a status. */
  const all = (column: Column) =>
    columns.flatMap((one, index) => (one === column ? (cells[index]?.trim() ?? '') : [])).filter(Boolean)
  const first = (...wanted: Column[]) => wanted.flatMap(all)[0] ?? ''
  const email = first('email')
  if (!isEmailShaped(email) || email.length > MAX_EMAIL_LENGTH) {
    return { line, cell: email, sentence: 'This is not an email address.', cure: 'Use a form like name@example.org.' }
  }
  const said = all('status')
  const isUnsaid = columns.includes('status') ? said.length === 0 : needsConfirmation && first('confirmedOn') === ''
  const status = strictest([
    ofAll,
    ...said.map(readStatus),
    ...(isUnsaid ? (['none'] as const) : []),
    // Mailchimp has these columns in the files of those who unsubscribed and who were cleaned only.
    ...(columns.includes('unsubscribedOn') && !columns.includes('status') ? (['unsubscribed'] as const) : []),
    ...(columns.includes('bouncedOn') && !columns.includes('status') ? (['bounced'] as const) : []),
    ...(all('unsubscribedOn').length > 0 ? (['unsubscribed'] as const) : []),
    ...(all('bouncedOn').length > 0 ? (['bounced'] as const) : []),
    ...(all('deleted').length > 0 ? (['none'] as const) : []),
  ])
  if (status !== 'subscribed') {
    const left = first(status === 'unsubscribed' ? 'unsubscribedOn' : 'bouncedOn', 'unsubscribedOn', 'changedOn')
    const on = dayIn(left, isDayFirst)
    return { line, email, status, on, source: null }
  }
  const day = first('confirmedOn', 'consentOn')
  const on = day === '' ? null : dayIn(day, isDayFirst)
  if (day !== '' && on === null) {
    const cure = `Write the consent date as ${dayForms(isDayFirst)}.`
    return { line, cell: day, sentence: 'This is not a date.', cure }
  }
  if (on !== null && on > today) {
    return { line, cell: day, sentence: 'This date is in the future.', cure: 'Write the date on which they agreed.' }
  }
  const text = all('consentSource').join('; ') || source
  return { line, email, status, on, source: text === '' ? null : text.slice(0, MAX_SOURCE_LENGTH) }
}

/** null if it is no day. */
function dayIn(text: string, isDayFirst: boolean): string | null {
  const day = readDay(text, isDayFirst)
  return isDay(day) ? day : null
}
