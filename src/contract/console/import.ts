import * as z from 'zod/mini'
import { dayField } from './member.ts'
import { endpoint, fileEndpoint } from '../endpoint.ts'
import { lineField } from '../fields.ts'
import { messages } from '../messages.ts'
import { earlierName, EARLIER_NAMES_MAX, levelChoice } from './people/earlier-levels.ts'
import { IMPORT_SYSTEMS } from './people/import-systems.ts'
import { recordColumnId, type RecordColumnId } from './people/record-columns.ts'

/** Importing members from a spreadsheet. A file is checked first, which changes nothing; valid rows are imported when an officer confirms. */

/** The columns of a member file. An export has more, which the import ignores. */
export const MEMBER_COLUMNS = ['email', 'username', 'firstName', 'lastName', 'level', 'startedOn', 'endsOn'] as const
export type MemberColumn = (typeof MEMBER_COLUMNS)[number]

/** Display names. */
export const MEMBER_COLUMN_NAMES: Record<MemberColumn, string> = {
  email: 'Email',
  username: 'Username',
  firstName: 'First name',
  lastName: 'Last name',
  level: 'Level',
  startedOn: 'Began on',
  endsOn: 'Ends on',
}

/** Columns that other systems export and this site reads: a name in one column, and statuses such as Lapsed or Archived. Several columns may be the status. */
const READ_COLUMNS = ['fullName', 'status'] as const
const READ_COLUMN_NAMES = { fullName: 'Full name', status: 'Status' } as const

/** Columns that fill the account and its membership. */
export const OWN_COLUMNS = [...MEMBER_COLUMNS, ...READ_COLUMNS] as const
export type OwnColumn = (typeof OWN_COLUMNS)[number]

/** What a column of a file fills: a field of the account, or of the member record. */
export type ImportColumn = OwnColumn | RecordColumnId

/** @param fields the columns of the member record that the report names */
export function importColumnName(column: ImportColumn, { fields }: Pick<ImportReport, 'fields'>): string {
  if (isMemberColumn(column)) return MEMBER_COLUMN_NAMES[column]
  if (isOwnColumn(column)) return READ_COLUMN_NAMES[column]
  return fields.find((one) => one.column === column)?.name ?? 'A field that is no longer in use'
}

export function isMemberColumn(column: string | null): column is MemberColumn {
  return MEMBER_COLUMNS.some((one) => one === column)
}

export function isOwnColumn(column: string | null): column is OwnColumn {
  return OWN_COLUMNS.some((one) => one === column)
}

export const IMPORT_MAX_BYTES = 2 * 1024 * 1024
export const IMPORT_MAX_ROWS = 10_000
export const IMPORT_TOO_LARGE = 'The file is larger than 2 MB. Split the list into two files.'
/** Days until a file and its errors are deleted. */
export const IMPORT_RETENTION_DAYS = 30
/** Invalid rows shown on the page; the error file has all. */
export const INVALID_ROWS_SHOWN = 100
export const CHANGED_ROWS_SHOWN = 50
export const KEPT_ACCOUNTS_SHOWN = 50

/** Why a new account is kept when its import is undone. */
export const ACCOUNT_USES = ['logged-in', 'paid', 'gave-credentials', 'merged', 'changed'] as const
export type AccountUse = (typeof ACCOUNT_USES)[number]

const column = z.union([z.enum(OWN_COLUMNS), recordColumnId])
const system = z.enum(IMPORT_SYSTEMS)
const importState = z.enum(['checked', 'running', 'done'])

const counts = z.object({
  rows: z.int(),
  new: z.int(),
  changed: z.int(),
  unchanged: z.int(),
  /** Officers left their level out. */
  leftOut: z.int(),
  wrong: z.int(),
})

const importLine = z.object({
  id: z.string(),
  filename: z.string(),
  /** `checked`: validated, nothing imported. */
  state: importState,
  /** The officer who uploaded the file. */
  by: z.string(),
  createdAt: z.string(),
  finishedAt: z.nullable(z.string()),
  /** When its new accounts were removed; null if they were not. */
  undoneAt: z.nullable(z.string()),
  counts,
})
export type ImportLine = z.infer<typeof importLine>

const importReport = z.extend(importLine, {
  confirmedAt: z.nullable(z.string()),
  sendsInvitations: z.boolean(),
  /** The system whose export this is, as recognized by its headings or chosen; null for another one. */
  system: z.nullable(system),
  /** The headings of the file and the columns they map to; null if ignored. */
  columns: z.array(
    z.object({
      heading: z.string(),
      column: z.nullable(column),
      /** The value of the first row; empty once the file is imported. */
      sample: z.string(),
    }),
  ),
  /** The columns for the member record, with their names. */
  fields: z.array(z.object({ column: recordColumnId, name: z.string() })),
  /** Names in the level column that are not names of levels, and the levels they are. */
  levelNames: z.array(earlierName),
  /** The levels of the association, also those that are no longer on sale. */
  levels: z.array(z.object({ key: z.string(), name: z.string() })),
  /** The first day of all rows; null if a column of the file has it. */
  startsOn: z.nullable(z.string()),
  /** Required columns that no heading fills; every row is wrong until they are chosen. */
  missing: z.array(z.enum(MEMBER_COLUMNS)),
  /** Rows to import, and how many were imported. */
  progress: z.object({ done: z.int(), total: z.int() }),
  wrong: z.array(
    z.object({
      /** Row number in the file, starting at 1. */
      line: z.int(),
      email: z.string(),
      faults: z.array(
        z.object({
          /** null if the whole row is invalid. */
          column: z.nullable(column),
          /** The value in the file. */
          cell: z.string(),
          sentence: z.string(),
          cure: z.string(),
        }),
      ),
    }),
  ),
  /** Before the import: what it would change. */
  changed: z.array(
    z.object({
      line: z.int(),
      email: z.string(),
      changes: z.array(z.object({ column, before: z.string(), after: z.string() })),
    }),
  ),
  /** What an undo would do now; null until the import is finished. */
  undo: z.nullable(
    z.object({
      /** Unused and unchanged new accounts, which an undo removes. */
      removes: z.int(),
      /** New accounts that an undo keeps. */
      keeps: z.int(),
      /** The first of the kept accounts. */
      kept: z.array(z.object({ id: z.string(), name: z.string(), because: z.enum(ACCOUNT_USES) })),
    }),
  ),
  /** When an undo started, and by whom; null if there was none. */
  undoBegunAt: z.nullable(z.string()),
  undoneBy: z.nullable(z.string()),
})
export type ImportReport = z.infer<typeof importReport>

const params = z.object({ id: lineField(messages.text.unreadable, 64) })
const forOfficers = { access: 'officer', permission: 'members.change' } as const

const cell = z.string(messages.text.unreadable).check(z.maxLength(2_000, messages.text.unreadable))

export const listImports = endpoint({
  ...forOfficers,
  name: 'listImports',
  method: 'GET',
  path: '/api/console/member-imports',
  summary: 'List recently checked or imported member files, newest first',
  reply: z.object({ imports: z.array(importLine) }),
  failures: [],
})

export const checkImport = endpoint({
  ...forOfficers,
  name: 'checkImport',
  method: 'POST',
  path: '/api/console/member-import-file',
  summary: 'Check a CSV file of members, sent as the raw body, and report what each row would do; imports nothing',
  query: z.object({ filename: lineField(messages.text.unreadable, 200) }),
  uploadBytes: IMPORT_MAX_BYTES,
  reply: importReport,
  status: 201,
  failures: ['TOO_LARGE'],
})

export const getImport = endpoint({
  ...forOfficers,
  name: 'getImport',
  method: 'GET',
  path: '/api/console/member-imports/:id',
  summary: 'Get the report of a file and the progress of its import',
  params,
  reply: importReport,
  failures: ['NOT_FOUND'],
})

export const confirmImport = endpoint({
  ...forOfficers,
  name: 'confirmImport',
  method: 'POST',
  path: '/api/console/member-imports/:id/confirm',
  requiresFreshFactor: true,
  summary: 'Import the valid rows of a file; idempotent',
  params,
  body: z.object({
    /** Emails new members a link to choose a password. */
    sendsInvitations: z.boolean(),
  }),
  reply: importReport,
  failures: ['NOT_FOUND'],
})

export const chooseImportColumns = endpoint({
  ...forOfficers,
  name: 'chooseImportColumns',
  method: 'POST',
  path: '/api/console/member-imports/:id/columns',
  summary: 'Check a file again with other columns, and remember them for these headings',
  params,
  body: z.object({
    /** One for each heading of the file; null is ignored. Left out, they are recognized again for `system`. */
    columns: z.optional(z.array(z.nullable(column)).check(z.maxLength(200, messages.text.unreadable))),
    /** The system whose export this is; null for another one. Left out, it stays. */
    system: z.optional(z.nullable(system)),
    /** The first day of all rows, if no column has it; today until another is chosen. */
    startsOn: z.optional(dayField('Please enter the day as a date')),
  }),
  reply: importReport,
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE'],
})

export const chooseImportLevels = endpoint({
  ...forOfficers,
  name: 'chooseImportLevels',
  method: 'POST',
  path: '/api/console/member-imports/:id/levels',
  summary: 'Check a file again with the levels chosen for names in it, and remember them for these names',
  params,
  body: z.object({
    /** The names whose level was chosen since the last check. */
    levels: z.array(levelChoice).check(z.maxLength(EARLIER_NAMES_MAX, messages.text.unreadable)),
  }),
  reply: importReport,
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE'],
})

export const correctImportRow = endpoint({
  ...forOfficers,
  name: 'correctImportRow',
  method: 'POST',
  path: '/api/console/member-imports/:id/rows/:line',
  summary: 'Correct a cell of a file before its import, and check the rows again',
  params: z.extend(params, { line: lineField(messages.text.unreadable, 6) }),
  body: z.object({
    column,
    /** The value as shown, so that two officers do not correct the same cell. */
    before: cell,
    after: cell,
  }),
  reply: importReport,
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE'],
})

export const undoImport = endpoint({
  ...forOfficers,
  name: 'undoImport',
  method: 'POST',
  path: '/api/console/member-imports/:id/undo',
  requiresFreshFactor: true,
  summary: 'Remove the unused and unchanged accounts that an import created; idempotent',
  params,
  body: z.object({}),
  reply: importReport,
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE'],
})

export const deleteImport = endpoint({
  ...forOfficers,
  name: 'dropImport',
  method: 'DELETE',
  path: '/api/console/member-imports/:id',
  summary: 'Delete a file that was not imported',
  params,
  status: 204,
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE'],
})

export const exportInvalidRows = fileEndpoint({
  ...forOfficers,
  name: 'getWrongRows',
  method: 'GET',
  path: '/api/console/member-imports/:id/wrong-rows',
  summary: 'Export the invalid rows with their errors as CSV, protected against formulas',
  params,
  media: 'text/csv',
  failures: ['NOT_FOUND'],
})
