import * as z from 'zod/mini'
import {
  MEMBER_COLUMN_NAMES,
  MEMBER_COLUMNS,
  type ImportColumn,
  type MemberColumn,
  type OwnColumn,
} from '#contract/console/import.ts'
import type { EarlierName } from '#contract/console/people/earlier-levels.ts'
import type { RecordColumn, RecordColumnId } from '#contract/console/people/record-columns.ts'
import { dayForms } from '#contract/dates/day-order.ts'
import { isDay } from '#contract/dates/days.ts'
import { emailField, firstNameField, lastNameField, usernameField } from '#contract/fields.ts'
import { limits } from '#contract/limits.ts'
import type { CsvRow } from '#server/lib/csv/csv.ts'
import { headingKey } from '#server/lib/heading-key.rules.ts'
import { findOwnLevel, levelText } from './review/level-names.rules.ts'
import { readDay } from '#server/lib/csv/read-day.rules.ts'
import { statusFault, statusText } from './systems/row-status.rules.ts'
import { recognizeColumns } from './systems/recognize-columns.rules.ts'
import { splitName } from './systems/split-name.rules.ts'
import { readRecordRow, type RecordValues } from './record-cells.rules.ts'

const person = z.object({
  email: emailField,
  username: usernameField,
  firstName: firstNameField,
  lastName: lastNameField,
})

export interface ImportedMemberRow {
  email: string
  /** From the file, or derived from the address. */
  username: string
  firstName: string
  lastName: string
  level: string
  /** Dates as `YYYY-MM-DD`; the end is null for a lifetime membership. */
  startedOn: string
  endsOn: string | null
}

/** An error in a cell, or in the whole row (column null), and how to fix it. */
export interface RowError {
  column: ImportColumn | null
  sentence: string
  cure: string
}

/** The cells of one line with normalized dates and level key; empty where the file has no value. */
export type MemberCells = Record<MemberColumn, string> & {
  /** Those of the member record that the file has. */
  record?: Partial<Record<RecordColumnId, string>>
}

/** A parsed row, or its errors. */
export type ParsedRow = {
  line: number
  cells: MemberCells
  /** The file has no column of first days: it is the same for all rows. */
  isStartForAll?: boolean
  /** Officers left its level out. */
  isLeftOut?: boolean
  /** Of the member record. */
  record: { values: RecordValues; faults: RowError[] }
} & ({ row: ImportedMemberRow } | { faults: RowError[] })

export interface KnownLevel {
  name: string
  isRecurring: boolean
}

/** Parses the rows. The username column is optional. */
export function parseMemberRows(...given: Parameters<typeof parseEachMemberRow>): ParsedRow[] {
  return [...parseEachMemberRow(...given)]
}

/**
 * Yields row by row, for long files. Without a required column, every row is wrong.
 * @param columns which column each heading fills; by default as recognized by the names
 * @param fields the columns of the member record that are in use
 * @param startsOn the first day of all rows, if no column fills it
 * @param format how the file writes its days and levels, and today, before which a lapsed membership has ended
 */
export function* parseEachMemberRow(
  [heading, ...lines]: readonly CsvRow[],
  levels: ReadonlyMap<string, KnownLevel>,
  columns: readonly (ImportColumn | null)[] = recognizeColumns(heading?.cells ?? []),
  fields: readonly RecordColumn[] = [],
  startsOn: string | null = null,
  {
    isDayFirst = false,
    today = '',
    levelNames = [],
  }: { isDayFirst?: boolean; today?: string; levelNames?: readonly EarlierName[] } = {},
): Generator<ParsedRow> {
  const missing = missingColumns(columns, startsOn)
  const isStartForAll = startsOn !== null && !columns.includes('startedOn')
  const matches = new Map(levelNames.map((one) => [one.key, one]))
  const own = [...levels].map(([key, { name }]) => ({ key, name }))
  const firstLines = new Map<string, number>()
  for (const { line, cells: found } of lines) {
    const cell = (column: ImportColumn) => found[columns.indexOf(column)]?.trim() ?? ''
    const day = (text: string) => readDay(text, isDayFirst)
    const statuses = columns.flatMap((column, index) =>
      column === 'status' ? statusText(heading?.cells[index] ?? '', found[index] ?? '') : [],
    )
    const ofRecord = fields.filter(({ id }) => columns.includes(id)).map(({ id }) => [id, cell(id)] as const)
    const level = readLevel(cell('level'), own, matches)
    const cells: MemberCells = {
      ...readCells(cell, day),
      level: level.key,
      ...(isStartForAll && { startedOn: startsOn }),
      ...(ofRecord.length > 0 && { record: Object.fromEntries(ofRecord) }),
    }
    const record = readRecordRow(cells.record ?? {}, fields, { level: cells.level, readDay: day })
    if (missing.length > 0) {
      yield { line, cells, isStartForAll, record, faults: missing.map(noColumn) }
      continue
    }
    if (level.match?.choice === 'left-out') {
      yield { line, cells, isStartForAll, isLeftOut: true, record, faults: [] }
      continue
    }
    const address = cells.email.toLowerCase()
    const before = address === '' ? undefined : firstLines.get(address)
    if (before !== undefined) {
      const sentence = `This address is in the file twice: line ${before} has it too.`
      yield {
        line,
        cells,
        isStartForAll,
        record,
        faults: [{ column: 'email', sentence, cure: 'Keep one of the two lines.' }],
      }
      continue
    }
    firstLines.set(address, line)
    const ofStatus = statusFault(statuses, cells.endsOn, today)
    const faults = [...(ofStatus ? [{ column: 'status' as const, ...ofStatus }] : []), ...record.faults]
    const parsed = readRow(cells, levels, faults, isDayFirst)
    if ('faults' in parsed)
      parsed.faults = parsed.faults.map((fault) => ofFullName(ofListedLevel(fault, level.match), columns))
    yield { line, cells, isStartForAll, record, ...parsed }
  }
}

/** The required columns that no heading fills. @param startsOn the first day of all rows, without a column */
export function missingColumns(
  columns: readonly (ImportColumn | null)[],
  startsOn: string | null = null,
): MemberColumn[] {
  const isOptional = (column: MemberColumn) =>
    column === 'username' ||
    (column === 'startedOn' && startsOn !== null) ||
    (columns.includes('fullName') && (column === 'firstName' || column === 'lastName'))
  return MEMBER_COLUMNS.filter((column) => !isOptional(column) && !columns.includes(column))
}

function noColumn(column: MemberColumn): RowError {
  const sentence = `No column of the file is ${MEMBER_COLUMN_NAMES[column]}.`
  return { column: null, sentence, cure: 'Choose it under Columns.' }
}

/** A fault of a name that one column has stands at that column. */
function ofFullName(fault: RowError, columns: readonly (ImportColumn | null)[]): RowError {
  if (fault.column !== 'firstName' && fault.column !== 'lastName') return fault
  return columns.includes(fault.column) ? fault : { ...fault, column: 'fullName' }
}

/** A fault of a name that is listed under Levels says so. */
function ofListedLevel(fault: RowError, match: EarlierName | null): RowError {
  if (fault.column !== 'level' || !match) return fault
  const cure = match.key === '' ? 'Enter it here, or choose one' : 'Correct it here, or choose its level'
  return { ...fault, cure: `${cure} for all such rows under Levels.` }
}

/** The key of the level, or the text if it is none, and how its name was matched. */
function readLevel(
  cell: string,
  levels: readonly { key: string; name: string }[],
  matches: ReadonlyMap<string, EarlierName>,
): { key: string; match: EarlierName | null } {
  const text = levelText(cell)
  const own = findOwnLevel(text, levels)
  if (own) return { key: own.key, match: null }
  const match = matches.get(headingKey(text)) ?? null
  return { key: match?.levelKey ?? text, match }
}

function readCells(cell: (column: OwnColumn) => string, day: (text: string) => string): Omit<MemberCells, 'level'> {
  const whole = splitName(cell('fullName'))
  return {
    email: cell('email'),
    username: cell('username'),
    firstName: cell('firstName') || whole.firstName,
    lastName: cell('lastName') || whole.lastName,
    startedOn: day(cell('startedOn')),
    endsOn: day(cell('endsOn')),
  }
}

function readRow(
  cells: MemberCells,
  levels: ReadonlyMap<string, KnownLevel>,
  others: readonly RowError[],
  isDayFirst: boolean,
): { row: ImportedMemberRow } | { faults: RowError[] } {
  const read = z.safeParse(person, { ...cells, username: cells.username || usernameFrom(cells.email) })
  const faults: RowError[] = []
  for (const { path, message } of read.success ? [] : read.error.issues) {
    const column = String(path[0]) as keyof typeof CURES
    // A missing value also fails the format check: report the first issue only.
    if (faults.some((fault) => fault.column === column)) continue
    faults.push({ column, sentence: asSentence(message), cure: CURES[column] })
  }
  faults.push(...termFaults(cells, levels, isDayFirst), ...others)
  // Don't report a username that we derived from an invalid address.
  const reported = faults.filter(({ column }) => column !== 'username' || cells.username !== '')
  if (!read.success || reported.length > 0) return { faults: reported.length > 0 ? reported : faults }
  const { level, startedOn, endsOn } = cells
  return { row: { ...read.data, level, startedOn, endsOn: endsOn === '' ? null : endsOn } }
}

const CURES = {
  email: 'Enter one address like name@example.org.',
  username: 'Use 3 to 30 letters, digits, dots or hyphens, or leave the cell empty to create one from the address.',
  firstName: 'Enter the first name, up to 50 characters.',
  lastName: 'Enter the last name, up to 50 characters.',
}
const dayCure = (isDayFirst: boolean) => `Enter the date as ${dayForms(isDayFirst)}.`

function termFaults(
  { level, startedOn, endsOn }: MemberCells,
  levels: ReadonlyMap<string, KnownLevel>,
  isDayFirst: boolean,
): RowError[] {
  const found = levels.get(level)
  const faults: RowError[] = []
  if (!found) {
    const names = [...levels].map(([key, { name }]) => `${name} (${key})`)
    const sentence = level === '' ? 'The level is missing.' : `There is no level "${level}".`
    faults.push({ column: 'level', sentence, cure: `Use one of: ${names.join(', ')}.` })
  }
  const starts = isDay(startedOn)
  if (!starts) faults.push({ column: 'startedOn', sentence: 'This is not a date.', cure: dayCure(isDayFirst) })
  if (!found) return faults
  if (!found.isRecurring) {
    if (endsOn !== '') {
      const sentence = 'A lifetime membership has no end date.'
      faults.push({ column: 'endsOn', sentence, cure: 'Leave the cell empty, or choose another level.' })
    }
    return faults
  }
  if (!isDay(endsOn)) {
    const sentence = endsOn === '' ? 'The end date is missing.' : 'This is not a date.'
    faults.push({ column: 'endsOn', sentence, cure: dayCure(isDayFirst) })
  } else if (starts && endsOn <= startedOn) {
    const sentence = `It ends before it starts (${startedOn}).`
    faults.push({ column: 'endsOn', sentence, cure: 'Check whether the two dates were swapped.' })
  }
  return faults
}

/** The part before the @, reduced to the characters allowed in a username. */
function usernameFrom(email: string): string {
  const [local = ''] = email.split('@')
  const plain = local.replaceAll(/[^A-Za-z0-9._-]/g, '').replace(/^[^A-Za-z0-9]+/, '')
  const { min, max } = limits.username
  return plain.length < min ? `member.${plain}`.slice(0, max) : plain.slice(0, max)
}

function asSentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`
}
