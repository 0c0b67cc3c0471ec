import * as z from 'zod/mini'
import { MEMBER_COLUMN_NAMES, MEMBER_COLUMNS, type MemberColumn } from '#contract/console-import.ts'
import { isDay } from '#contract/days.ts'
import { emailField, firstNameField, lastNameField, usernameField } from '#contract/fields.ts'
import { limits } from '#contract/limits.ts'
import type { CsvRow } from '#server/platform/csv.ts'

/** How lists that were kept elsewhere call them, without blanks and capitals. */
const OTHER_NAMES: Record<string, MemberColumn> = {
  emailaddress: 'email',
  mail: 'email',
  user: 'username',
  login: 'username',
  first: 'firstName',
  givenname: 'firstName',
  last: 'lastName',
  surname: 'lastName',
  familyname: 'lastName',
  membership: 'level',
  membershiplevel: 'level',
  memberlevel: 'level',
  membershiptype: 'level',
  membertype: 'level',
  plan: 'level',
  start: 'startedOn',
  started: 'startedOn',
  startdate: 'startedOn',
  since: 'startedOn',
  membersince: 'startedOn',
  joined: 'startedOn',
  joinedon: 'startedOn',
  joindate: 'startedOn',
  end: 'endsOn',
  ends: 'endsOn',
  enddate: 'endsOn',
  expires: 'endsOn',
  expireson: 'endsOn',
  expirationdate: 'endsOn',
  paiduntil: 'endsOn',
  paidthrough: 'endsOn',
  validuntil: 'endsOn',
  renewaldate: 'endsOn',
  renewsorends: 'endsOn',
}

const person = z.object({
  email: emailField,
  username: usernameField,
  firstName: firstNameField,
  lastName: lastNameField,
})

export interface MemberRow {
  email: string
  /** As the file says it, or made from the address where it says none. */
  username: string
  firstName: string
  lastName: string
  level: string
  /** Days, `YYYY-MM-DD`; the end null for lifetime. */
  startedOn: string
  endsOn: string | null
}

/** What is wrong with a cell, or with the whole row (column null), and what to do about it. */
export interface RowFault {
  column: MemberColumn | null
  sentence: string
  cure: string
}

/** The cells of one line, days and level as we write them; empty where the file says nothing. */
export type MemberCells = Record<MemberColumn, string>

/** What a row says, or what is wrong with it. */
export type RowReading = { line: number; cells: MemberCells } & ({ row: MemberRow } | { faults: RowFault[] })

export interface KnownLevel {
  name: string
  isRecurring: boolean
}

/** Which column of ours each heading of the file is; null for those that are passed over. */
export function recogniseColumns(heading: readonly string[]): (MemberColumn | null)[] {
  const keys = heading.map(plainName)
  const columns = keys.map((key) => OWN_NAMES.get(key) ?? OTHER_NAMES[key] ?? null)
  return columns.map((column, index) => {
    if (column === null) return null
    // A column that carries our own name, as our exports and pages do, is the one that is meant.
    const own = keys.findIndex((key) => OWN_NAMES.get(key) === column)
    return index === (own >= 0 ? own : columns.indexOf(column)) ? column : null
  })
}

const plainName = (words: string) => words.toLowerCase().replaceAll(/[^a-z]/g, '')

/** What exports and pages of our own call a column. */
const OWN_NAMES = new Map(
  MEMBER_COLUMNS.flatMap((column) => [
    [plainName(column), column],
    [plainName(MEMBER_COLUMN_NAMES[column]), column],
  ]),
)

/** Reads the cells under their headings. A file without usernames is a file of people who choose none. @throws Error naming the columns that are missing */
export function readMemberRows(rows: readonly CsvRow[], levels: ReadonlyMap<string, KnownLevel>): RowReading[] {
  return [...memberRows(rows, levels)]
}

/** The same one by one, for long files. */
export function* memberRows(
  [heading, ...lines]: readonly CsvRow[],
  levels: ReadonlyMap<string, KnownLevel>,
): Generator<RowReading> {
  const columns = recogniseColumns(heading?.cells ?? [])
  const missing = MEMBER_COLUMNS.filter((column) => column !== 'username' && !columns.includes(column))
  if (missing.length > 0) {
    throw new Error(`The file has no column ${missing.map((column) => MEMBER_COLUMN_NAMES[column]).join(', ')}.`)
  }
  const firstLines = new Map<string, number>()
  for (const { line, cells: found } of lines) {
    const cells = readCells((column) => found[columns.indexOf(column)]?.trim() ?? '', levels)
    const address = cells.email.toLowerCase()
    const before = address === '' ? undefined : firstLines.get(address)
    if (before !== undefined) {
      const sentence = `This address stands in the file twice: line ${before} has it too.`
      yield { line, cells, faults: [{ column: 'email', sentence, cure: 'Keep one of the two lines.' }] }
      continue
    }
    firstLines.set(address, line)
    yield { line, cells, ...readRow(cells, levels) }
  }
}

function readCells(cell: (column: MemberColumn) => string, levels: ReadonlyMap<string, KnownLevel>): MemberCells {
  const level = cell('level')
  const key = [...levels].find(([known, { name }]) => isSame(known, level) || isSame(name, level))?.[0]
  return {
    email: cell('email'),
    username: cell('username'),
    firstName: cell('firstName'),
    lastName: cell('lastName'),
    level: key ?? level,
    startedOn: readDay(cell('startedOn')),
    endsOn: readDay(cell('endsOn')),
  }
}

function readRow(
  cells: MemberCells,
  levels: ReadonlyMap<string, KnownLevel>,
): { row: MemberRow } | { faults: RowFault[] } {
  const read = z.safeParse(person, { ...cells, username: cells.username || usernameFrom(cells.email) })
  const faults: RowFault[] = []
  for (const { path, message } of read.success ? [] : read.error.issues) {
    const column = String(path[0]) as keyof typeof CURES
    // What is missing has the wrong form too.
    if (faults.some((fault) => fault.column === column)) continue
    faults.push({ column, sentence: asSentence(message), cure: CURES[column] })
  }
  faults.push(...termFaults(cells, levels))
  // A username made from an address that is none is not the file's fault.
  const told = faults.filter(({ column }) => column !== 'username' || cells.username !== '')
  if (!read.success || told.length > 0) return { faults: told.length > 0 ? told : faults }
  const { level, startedOn, endsOn } = cells
  return { row: { ...read.data, level, startedOn, endsOn: endsOn === '' ? null : endsOn } }
}

const CURES = {
  email: 'Write one address like name@example.org.',
  username: 'Use 3 to 30 letters, digits, dots or hyphens, or leave the cell empty: then one is made from the address.',
  firstName: 'Fill in the first name, at most 50 letters.',
  lastName: 'Fill in the last name, at most 50 letters.',
}
const DAY_CURE = 'Write the day as 2026-03-02, or as 3/2/2026 with the month first.'

function termFaults({ level, startedOn, endsOn }: MemberCells, levels: ReadonlyMap<string, KnownLevel>): RowFault[] {
  const found = levels.get(level)
  const faults: RowFault[] = []
  if (!found) {
    const names = [...levels].map(([key, { name }]) => `${name} (${key})`)
    const sentence = level === '' ? 'The level is missing.' : `There is no level "${level}".`
    faults.push({ column: 'level', sentence, cure: `Write one of: ${names.join(', ')}.` })
  }
  const starts = isDay(startedOn)
  if (!starts) faults.push({ column: 'startedOn', sentence: 'This is not a day.', cure: DAY_CURE })
  if (!found) return faults
  if (!found.isRecurring) {
    if (endsOn !== '') {
      const sentence = 'A lifetime membership has no end.'
      faults.push({ column: 'endsOn', sentence, cure: 'Leave the cell empty, or choose another level.' })
    }
    return faults
  }
  if (!isDay(endsOn)) {
    const sentence = endsOn === '' ? 'The end is missing.' : 'This is not a day.'
    faults.push({ column: 'endsOn', sentence, cure: DAY_CURE })
  } else if (starts && endsOn <= startedOn) {
    const sentence = `It ends before it starts (${startedOn}).`
    faults.push({ column: 'endsOn', sentence, cure: 'Look whether the two days were taken for each other.' })
  }
  return faults
}

/** `2026-03-02` also from `3/2/2026`, as spreadsheets here write it; what is no day stays as it was typed. */
function readDay(text: string): string {
  const [, month, day, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text) ?? []
  if (!month || !day || !year) return text
  const written = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isDay(written) ? written : text
}

/** The part before the @, in the letters a username may have. */
function usernameFrom(email: string): string {
  const [local = ''] = email.split('@')
  const plain = local.replaceAll(/[^A-Za-z0-9._-]/g, '').replace(/^[^A-Za-z0-9]+/, '')
  const { min, max } = limits.username
  return plain.length < min ? `member.${plain}`.slice(0, max) : plain.slice(0, max)
}

function isSame(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase()
}

function asSentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`
}
