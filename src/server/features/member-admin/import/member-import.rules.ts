import { isMemberColumn, MEMBER_COLUMNS, type ImportColumn } from '#contract/console/import.ts'
import type { RecordColumn } from '#contract/console/people/record-columns.ts'
import { isEmailShaped } from '#contract/fields.ts'
import { messages } from '#contract/messages.ts'
import type { RecordEntry } from '#server/features/member-record/record-value.queries.ts'
import type { MemberCells, RowError, ParsedRow } from './member-rows.rules.ts'
import { recordChanges } from './record-cells.rules.ts'

/** An account, formatted like an export. */
export interface ExistingAccount {
  id: string
  cells: MemberCells
  /** What its record holds. */
  record: readonly RecordEntry[]
  isClosed: boolean
  /** The account was ended because the member died. */
  hasDied?: boolean
  /** The current or last membership; null when there never was one. */
  membership: { isLifetime: boolean; isCharged: boolean; hasEnded: boolean } | null
}

/** Lookup of existing accounts by their unique fields; names in lower case. */
export interface ExistingAccounts {
  /** All accounts with an address, including closed ones. */
  atAddress(email: string): readonly ExistingAccount[]
  /** The account that logs in with a username or address. */
  findByLoginName(name: string): string | null
}

export interface CellChange {
  column: ImportColumn
  before: string
  after: string
}

/** What a row would do. */
export type RowVerdict =
  | { kind: 'new' }
  | { kind: 'changed'; accountId: string; changes: CellChange[] }
  | { kind: 'unchanged' }
  /** Officers left its level out. */
  | { kind: 'left-out' }
  | { kind: 'wrong'; faults: RowError[] }

export const MEMBER_DECEASED = 'The member with this address died.'

const PERSON = ['username', 'firstName', 'lastName'] as const
const TERM = ['level', 'startedOn', 'endsOn'] as const

/** Each row's verdict. A row identical to our export is always unchanged, so importing an export is a no-op. */
export function* validateEachRow(
  readings: readonly ParsedRow[],
  known: ExistingAccounts,
  fields: readonly RecordColumn[] = [],
): Generator<RowVerdict> {
  const usernames = new Map<string, number>()
  const judge = (reading: ParsedRow): RowVerdict => {
    const verdict = validateRow(reading, known, fields)
    const name = reading.cells.username.toLowerCase()
    if ((verdict.kind !== 'new' && verdict.kind !== 'changed') || name === '') return verdict
    const before = usernames.get(name)
    usernames.set(name, before ?? reading.line)
    if (before === undefined) return verdict
    const sentence = `This username is in the file twice: line ${before} has it too.`
    return wrong({ column: 'username', sentence, cure: 'Change one of them, or leave one empty.' })
  }
  for (const reading of readings) yield judge(reading)
}

/** `judgements` as an array. */
export function validateRows(readings: readonly ParsedRow[], known: ExistingAccounts): RowVerdict[] {
  return [...validateEachRow(readings, known)]
}

/** @param fields the columns of the member record that are in use */
export function validateRow(
  reading: ParsedRow,
  known: ExistingAccounts,
  fields: readonly RecordColumn[] = [],
): RowVerdict {
  const { cells } = reading
  const email = cells.email.toLowerCase()
  const people = known.atAddress(email)
  const hasFault = reading.record.faults.length > 0
  if (!hasFault && people.some((person) => changesOf(person, reading, fields).length === 0))
    return { kind: 'unchanged' }
  if (reading.isLeftOut) return { kind: 'left-out' }
  // Deleted accounts release their address, so it may belong to a new person.
  const holder = known.findByLoginName(email)
  const person = people.find(({ id }) => id === holder)
  if (person) return judgeKnown(reading, person, known, fields)
  if ('faults' in reading) return { kind: 'wrong', faults: reading.faults }
  if (holder === null && people.some(({ hasDied }) => hasDied)) {
    const cure = 'Remove the line. To add another person with this address, use Members.'
    return wrong({ column: 'email', sentence: MEMBER_DECEASED, cure })
  }
  if (holder !== null) {
    const sentence = 'Another member has this address as a username.'
    return wrong({ column: 'email', sentence, cure: 'Ask this person for another address.' })
  }
  const fault = usernameFault(cells, null, known)
  return fault ? wrong(fault) : { kind: 'new' }
}

function judgeKnown(
  { cells, ...reading }: ParsedRow,
  person: ExistingAccount,
  known: ExistingAccounts,
  fields: readonly RecordColumn[],
): RowVerdict {
  if (person.isClosed) {
    const sentence = 'This account is closed.'
    return wrong({ column: null, sentence, cure: 'Enable it on the member page first, or remove the line.' })
  }
  const changes = changesOf(person, { cells, ...reading }, fields)
  const isChanged = (column: ImportColumn | null) => changes.some((change) => change.column === column)
  // Ignore faults in unchanged cells: an officer without a membership has no level.
  const ofTerm = TERM.some(isChanged)
  const faults =
    'faults' in reading
      ? reading.faults.filter(
          ({ column }) =>
            (column === 'fullName' && (isChanged('firstName') || isChanged('lastName'))) ||
            (column !== 'fullName' && !isMemberColumn(column)) ||
            isChanged(column),
        )
      : []
  const more = [
    isChanged('username') ? usernameFault(cells, person.id, known) : null,
    ofTerm ? termFault(person) : null,
  ].filter((fault) => fault !== null)
  if (faults.length + more.length > 0) return { kind: 'wrong', faults: [...faults, ...more] }
  if (ofTerm && 'faults' in reading && reading.faults.some(({ column }) => TERM.some((name) => name === column))) {
    return { kind: 'wrong', faults: reading.faults }
  }
  return { kind: 'changed', accountId: person.id, changes }
}

function changesOf(
  person: ExistingAccount,
  { cells, record, isStartForAll = false }: Pick<ParsedRow, 'cells' | 'record' | 'isStartForAll'>,
  fields: readonly RecordColumn[],
): CellChange[] {
  const ofRecord = recordChanges(record.values, fields, person.record)
  // A day for all rows is for new members: it says nothing about when those who are known began.
  const keepsStart = isStartForAll && person.cells.startedOn !== ''
  const compared = keepsStart ? { ...cells, startedOn: person.cells.startedOn } : cells
  return [...differences(person.cells, compared), ...ofRecord]
}

/** An empty username keeps the current one. */
function differences(known: MemberCells, cells: MemberCells): CellChange[] {
  return MEMBER_COLUMNS.filter((column) => column !== 'email')
    .filter((column) => known[column] !== cells[column] && !(column === 'username' && cells.username === ''))
    .map((column) => ({ column, before: known[column], after: cells[column] }))
}

function usernameFault(cells: MemberCells, accountId: string | null, known: ExistingAccounts): RowError | null {
  const { username, email } = cells
  const name = username.toLowerCase()
  if (name === '' || name === email.toLowerCase()) return null
  const cure = 'Choose another one, or leave the cell empty.'
  if (isEmailShaped(username)) return { column: 'username', sentence: messages.username.foreignEmail, cure }
  const holder = known.findByLoginName(name)
  if (holder === null || holder === accountId) return null
  return { column: 'username', sentence: 'Another member has this username.', cure }
}

function termFault({ cells, membership }: ExistingAccount): RowError | null {
  const held = `${cells.level}, ${cells.startedOn} to ${cells.endsOn || 'for life'}`
  if (membership?.isCharged) {
    const sentence = 'This membership renews by card, so the card provider sets its end date.'
    return {
      column: 'level',
      sentence,
      cure: `Leave the level and dates unchanged (${held}), or stop the renewal first.`,
    }
  }
  if (membership?.isLifetime && !membership.hasEnded) {
    const sentence = 'This is a lifetime member.'
    return { column: 'level', sentence, cure: `Leave the level and dates unchanged (${held}).` }
  }
  return null
}

function wrong(fault: RowError): RowVerdict {
  return { kind: 'wrong', faults: [fault] }
}

/** Whether changes affect the profile or the term. */
export function affectedParts(changes: readonly CellChange[]): { person: boolean; term: boolean } {
  const touches = (columns: readonly ImportColumn[]) => changes.some(({ column }) => columns.includes(column))
  return { person: touches(PERSON), term: touches(TERM) }
}
