import { MEMBER_COLUMNS, type MemberColumn } from '#contract/console-import.ts'
import { isEmailShaped } from '#contract/fields.ts'
import { messages } from '#contract/messages.ts'
import type { MemberCells, RowFault, RowReading } from './member-rows.rules.ts'

/** Somebody with an account, as an export writes them. */
export interface KnownPerson {
  id: string
  cells: MemberCells
  isClosed: boolean
  /** The account was ended because its owner died. */
  hasDied?: boolean
  /** What is held, or was last; null: nothing ever. */
  membership: { isLifetime: boolean; isCharged: boolean; hasEnded: boolean } | null
}

/** Who is there already, by what two people cannot share; names in small letters. */
export interface KnownPeople {
  /** All accounts with an address, closed ones too. */
  atAddress(email: string): readonly KnownPerson[]
  /** The account that logs in with a name, be it a username or an address. */
  holderOf(name: string): string | null
}

export interface CellChange {
  column: MemberColumn
  before: string
  after: string
}

/** What a row would do. */
export type Verdict =
  | { kind: 'new' }
  | { kind: 'changed'; accountId: string; changes: CellChange[] }
  | { kind: 'unchanged' }
  | { kind: 'wrong'; faults: RowFault[] }

export const MEMBER_DIED = 'The member with this address died.'

const PERSON = ['username', 'firstName', 'lastName'] as const
const TERM = ['level', 'startedOn', 'endsOn'] as const

/** Each row's verdict. What stands in the file as an export would write it is unchanged, whatever else it is: so an export changes nothing. */
export function* judgements(readings: readonly RowReading[], known: KnownPeople): Generator<Verdict> {
  const usernames = new Map<string, number>()
  const judge = (reading: RowReading): Verdict => {
    const verdict = judgeRow(reading, known)
    const name = reading.cells.username.toLowerCase()
    if (verdict.kind === 'wrong' || verdict.kind === 'unchanged' || name === '') return verdict
    const before = usernames.get(name)
    usernames.set(name, before ?? reading.line)
    if (before === undefined) return verdict
    const sentence = `This username stands in the file twice: line ${before} has it too.`
    return wrong({ column: 'username', sentence, cure: 'Give one of the two another, or leave one empty.' })
  }
  for (const reading of readings) yield judge(reading)
}

/** All of them at once. */
export function judgeRows(readings: readonly RowReading[], known: KnownPeople): Verdict[] {
  return [...judgements(readings, known)]
}

export function judgeRow(reading: RowReading, known: KnownPeople): Verdict {
  const { cells } = reading
  const email = cells.email.toLowerCase()
  const people = known.atAddress(email)
  if (people.some((person) => differences(person.cells, cells).length === 0)) return { kind: 'unchanged' }
  // Who left gave the address back: whoever comes with it is new.
  const holder = known.holderOf(email)
  const person = people.find(({ id }) => id === holder)
  if (person) return judgeKnown(reading, person, known)
  if ('faults' in reading) return { kind: 'wrong', faults: reading.faults }
  if (holder === null && people.some(({ hasDied }) => hasDied)) {
    const cure = 'Leave the line out. Somebody else with this address is added under Members.'
    return wrong({ column: 'email', sentence: MEMBER_DIED, cure })
  }
  if (holder !== null) {
    const sentence = 'Somebody else has this address as a username.'
    return wrong({ column: 'email', sentence, cure: 'Ask this person for another address.' })
  }
  const fault = usernameFault(cells, null, known)
  return fault ? wrong(fault) : { kind: 'new' }
}

function judgeKnown({ cells, ...reading }: RowReading, person: KnownPerson, known: KnownPeople): Verdict {
  if (person.isClosed) {
    const sentence = 'This account is closed.'
    return wrong({ column: null, sentence, cure: 'Enable it on the page of the member first, or leave the line out.' })
  }
  const changes = differences(person.cells, cells)
  const isChanged = (column: MemberColumn | null) => changes.some((change) => change.column === column)
  // What stands there as it is known is not the file's fault: an officer without a membership has no level.
  const ofTerm = TERM.some(isChanged)
  const faults = 'faults' in reading ? reading.faults.filter(({ column }) => column === null || isChanged(column)) : []
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

/** An empty username leaves the one there is. */
function differences(known: MemberCells, cells: MemberCells): CellChange[] {
  return MEMBER_COLUMNS.filter((column) => column !== 'email')
    .filter((column) => known[column] !== cells[column] && !(column === 'username' && cells.username === ''))
    .map((column) => ({ column, before: known[column], after: cells[column] }))
}

function usernameFault(cells: MemberCells, accountId: string | null, known: KnownPeople): RowFault | null {
  const { username, email } = cells
  const name = username.toLowerCase()
  if (name === '' || name === email.toLowerCase()) return null
  const cure = 'Choose another one, or leave the cell empty.'
  if (isEmailShaped(username)) return { column: 'username', sentence: messages.username.foreignEmail, cure }
  const holder = known.holderOf(name)
  if (holder === null || holder === accountId) return null
  return { column: 'username', sentence: 'Somebody else has this username.', cure }
}

function termFault({ cells, membership }: KnownPerson): RowFault | null {
  const held = `${cells.level}, ${cells.startedOn} to ${cells.endsOn || 'for life'}`
  if (membership?.isCharged) {
    const sentence = 'The card provider renews this membership and says when it ends.'
    return { column: 'level', sentence, cure: `Leave level and days as they are (${held}), or stop the renewal first.` }
  }
  if (membership?.isLifetime && !membership.hasEnded) {
    const sentence = 'This person is a member for life.'
    return { column: 'level', sentence, cure: `Leave level and days as they are (${held}).` }
  }
  return null
}

function wrong(fault: RowFault): Verdict {
  return { kind: 'wrong', faults: [fault] }
}

/** Which parts of a person a change touches. */
export function partsOf(changes: readonly CellChange[]): { person: boolean; term: boolean } {
  const touches = (columns: readonly MemberColumn[]) => changes.some(({ column }) => columns.includes(column))
  return { person: touches(PERSON), term: touches(TERM) }
}
