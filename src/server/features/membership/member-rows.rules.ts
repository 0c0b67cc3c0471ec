import * as z from 'zod/mini'
import { dayText } from '#contract/days.ts'
import { emailField, firstNameField, lastNameField, usernameField } from '#contract/fields.ts'

/** The columns of a member file; an export has more, which an import passes over. */
export const MEMBER_COLUMNS = ['email', 'username', 'firstName', 'lastName', 'level', 'startedOn', 'endsOn'] as const

const person = z.object({
  email: emailField,
  username: usernameField,
  firstName: firstNameField,
  lastName: lastNameField,
})

export interface MemberRow {
  email: string
  username: string
  firstName: string
  lastName: string
  level: string
  /** Days, `YYYY-MM-DD`; the end null for lifetime. */
  startedOn: string
  endsOn: string | null
}

/** What a row says, or what is wrong with it. */
export type RowReading = { row: MemberRow } | { wrong: string }

/** Reads the cells under their headings; @throws Error naming the columns that are missing */
export function readMemberRows(
  [heading = [], ...lines]: readonly (readonly string[])[],
  levels: ReadonlyMap<string, { isRecurring: boolean }>,
): RowReading[] {
  const missing = MEMBER_COLUMNS.filter((column) => !heading.includes(column))
  if (missing.length > 0) throw new Error(`The file has no column ${missing.join(', ')}.`)
  const seen = new Set<string>()
  return lines.map((cells) => {
    const cell = (column: string) => cells[heading.indexOf(column)]?.trim() ?? ''
    const reading = readRow(cell, levels)
    if ('wrong' in reading) return reading
    const key = reading.row.email.toLowerCase()
    if (seen.has(key)) return { wrong: 'this address stands in the file twice' }
    seen.add(key)
    return reading
  })
}

function readRow(cell: (column: string) => string, levels: ReadonlyMap<string, { isRecurring: boolean }>): RowReading {
  const read = z.safeParse(person, {
    email: cell('email'),
    username: cell('username'),
    firstName: cell('firstName'),
    lastName: cell('lastName'),
  })
  if (!read.success)
    return { wrong: read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ') }
  const level = cell('level')
  const found = levels.get(level)
  if (!found) return { wrong: `there is no level "${level}"` }
  const [startedOn, endsOn] = [cell('startedOn'), cell('endsOn')]
  if (!isDay(startedOn)) return { wrong: 'startedOn is not a day like 2026-03-02' }
  if (!found.isRecurring)
    return endsOn === ''
      ? { row: { ...read.data, level, startedOn, endsOn: null } }
      : { wrong: 'a lifetime membership has no endsOn' }
  if (!isDay(endsOn)) return { wrong: 'endsOn is not a day like 2027-03-02' }
  if (endsOn <= startedOn) return { wrong: 'it ends before it starts' }
  return { row: { ...read.data, level, startedOn, endsOn } }
}

function isDay(text: string): boolean {
  const [year, month, day] = /^\d{4}-\d{2}-\d{2}$/.test(text) ? text.split('-').map(Number) : []
  return year !== undefined && month !== undefined && day !== undefined && dayText({ year, month, day }) === text
}
