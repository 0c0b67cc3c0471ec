import { MEMBER_COLUMN_NAMES, MEMBER_COLUMNS, type ImportColumn, type OwnColumn } from '#contract/console/import.ts'
import type { ImportSystem } from '#contract/console/people/import-systems.ts'
import type { RecordColumn } from '#contract/console/people/record-columns.ts'
import { headingKey } from '#server/lib/heading-key.rules.ts'
import { presetColumns } from './import-systems.rules.ts'
import { isStreet, similarField } from './similar-fields.rules.ts'

/** Column names of other software, normalized. */
const OTHER_NAMES: Record<string, OwnColumn> = {
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
  renewaldue: 'endsOn',
}

/**
 * Maps each heading of the file to our column; null for ignored headings.
 * @param system the system whose export the file is; null for none
 */
export function recognizeColumns(
  heading: readonly string[],
  fields: readonly RecordColumn[] = [],
  system: ImportSystem | null = null,
): (ImportColumn | null)[] {
  const keys = heading.map(plainName)
  const ofPreset = system === null ? [] : presetColumns(system, heading)
  const ofRecord = heading.map(
    (name) => fields.find((field) => headingKey(field.name) === headingKey(name))?.id ?? null,
  )
  const columns = keys.map(
    (key, index): ImportColumn | null =>
      ofPreset[index] ?? OWN_NAMES.get(key) ?? ofRecord[index] ?? OTHER_NAMES[key] ?? null,
  )
  const own = onlyFirsts(columns, (column) => {
    // A column with our own name, as in our exports, takes precedence.
    const index = ofPreset.includes(column as OwnColumn) ? -1 : keys.findIndex((key) => OWN_NAMES.get(key) === column)
    return index >= 0 ? index : ofPreset.indexOf(column as OwnColumn)
  })
  return onlyFirsts(withFullName(withSimilarFields(own, heading, fields), heading))
}

/** Each column once, except the status. @param preferred the index of the heading that has the column; negative for the first one */
function onlyFirsts(
  columns: readonly (ImportColumn | null)[],
  preferred: (column: ImportColumn) => number = () => -1,
): (ImportColumn | null)[] {
  return columns.map((column, index) => {
    if (column === null || column === 'status') return column
    const chosen = preferred(column)
    return index === (chosen >= 0 ? chosen : columns.indexOf(column)) ? column : null
  })
}

function withSimilarFields(
  columns: readonly (ImportColumn | null)[],
  heading: readonly string[],
  fields: readonly RecordColumn[],
): (ImportColumn | null)[] {
  const hasStreet = heading.some(isStreet)
  const open = fields.filter(({ id, part }) => !columns.includes(id) && (part === null || hasStreet))
  return columns.map((column, index) => column ?? similarField(heading[index] ?? '', open))
}

const FULL_NAMES = ['name', 'fullname', 'displayname', 'contactname', 'membername']

/** A column with the whole name is read if first and last names have no columns. */
function withFullName(columns: readonly (ImportColumn | null)[], heading: readonly string[]): (ImportColumn | null)[] {
  const hasNames = columns.includes('firstName') && columns.includes('lastName')
  return columns.map((column, index) => {
    if (column === 'fullName') return hasNames ? null : column
    return column === null && !hasNames && FULL_NAMES.includes(headingKey(heading[index] ?? '')) ? 'fullName' : column
  })
}

const plainName = (name: string) => name.toLowerCase().replaceAll(/[^a-z]/g, '')

/** Column names in our exports and on our pages. */
const OWN_NAMES = new Map(
  MEMBER_COLUMNS.flatMap((column) => [
    [plainName(column), column],
    [plainName(MEMBER_COLUMN_NAMES[column]), column],
  ]),
)
