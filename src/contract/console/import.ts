import * as z from 'zod/mini'
import { endpoint, fileEndpoint } from './endpoint.ts'
import { lineField } from './fields.ts'
import { messages } from './messages.ts'

/** Members from a spreadsheet: a file is looked at first and changes nothing; what is right in it is imported when an officer says so. */

/** The columns of a member file; an export has more, which an import passes over. */
export const MEMBER_COLUMNS = ['email', 'username', 'firstName', 'lastName', 'level', 'startedOn', 'endsOn'] as const
export type MemberColumn = (typeof MEMBER_COLUMNS)[number]

/** As they are called on a page. */
export const MEMBER_COLUMN_NAMES: Record<MemberColumn, string> = {
  email: 'Email',
  username: 'Username',
  firstName: 'First name',
  lastName: 'Last name',
  level: 'Level',
  startedOn: 'Began on',
  endsOn: 'Ends on',
}

export const MOST_IMPORT_BYTES = 2 * 1024 * 1024
export const MOST_IMPORT_ROWS = 10_000
export const IMPORT_TOO_LARGE = 'The file is larger than 2 MB. Split the list into two files.'
/** Days a file and what was wrong with it are kept. */
export const IMPORT_KEPT_DAYS = 30
/** Wrong rows that a page shows; the file of them has all. */
export const WRONG_ROWS_SHOWN = 100
export const CHANGED_ROWS_SHOWN = 50
export const ACCOUNTS_SHOWN_KEPT = 50

/** Why a new account stays when its import is taken back. */
export const ACCOUNT_USES = ['logged-in', 'paid', 'gave-credentials', 'merged', 'changed'] as const
export type AccountUse = (typeof ACCOUNT_USES)[number]

const column = z.enum(MEMBER_COLUMNS)
const importState = z.enum(['checked', 'running', 'done'])

const counts = z.object({
  rows: z.int(),
  new: z.int(),
  changed: z.int(),
  unchanged: z.int(),
  wrong: z.int(),
})

const importLine = z.object({
  id: z.string(),
  filename: z.string(),
  /** `checked`: looked at, nothing imported. */
  state: importState,
  /** Who chose the file. */
  by: z.string(),
  createdAt: z.string(),
  finishedAt: z.nullable(z.string()),
  /** When its new accounts were removed again; null: they were not. */
  undoneAt: z.nullable(z.string()),
  counts,
})
export type ImportLine = z.infer<typeof importLine>

const importReport = z.extend(importLine, {
  confirmedAt: z.nullable(z.string()),
  sendsInvitations: z.boolean(),
  /** Each heading of the file and what it was taken for; null: passed over. */
  columns: z.array(z.object({ heading: z.string(), column: z.nullable(column) })),
  /** Rows to import, and how many of them are. */
  progress: z.object({ done: z.int(), total: z.int() }),
  wrong: z.array(
    z.object({
      /** Of the file, from 1. */
      line: z.int(),
      email: z.string(),
      faults: z.array(
        z.object({
          /** null: the row as a whole. */
          column: z.nullable(column),
          /** What stands there. */
          cell: z.string(),
          sentence: z.string(),
          cure: z.string(),
        }),
      ),
    }),
  ),
  /** While nothing is imported: what would become different. */
  changed: z.array(
    z.object({
      line: z.int(),
      email: z.string(),
      changes: z.array(z.object({ column, before: z.string(), after: z.string() })),
    }),
  ),
  /** What taking the import back would do now; null before it is finished. */
  undo: z.nullable(
    z.object({
      /** New accounts that nobody has used or changed since. */
      removes: z.int(),
      /** New accounts that stay. */
      keeps: z.int(),
      /** The first of those. */
      kept: z.array(z.object({ id: z.string(), name: z.string(), because: z.enum(ACCOUNT_USES) })),
    }),
  ),
  /** When somebody began to take it back, and who; null: nobody. */
  undoBegunAt: z.nullable(z.string()),
  undoneBy: z.nullable(z.string()),
})
export type ImportReport = z.infer<typeof importReport>

const params = z.object({ id: lineField(messages.text.unreadable, 64) })
const forOfficers = { access: 'officer', permission: 'members.change' } as const

export const listImports = endpoint({
  ...forOfficers,
  name: 'listImports',
  method: 'GET',
  path: '/api/console/member-imports',
  summary: 'Files of members that were looked at or imported lately, newest first',
  reply: z.object({ imports: z.array(importLine) }),
  failures: [],
})

export const checkImport = endpoint({
  ...forOfficers,
  name: 'checkImport',
  method: 'POST',
  path: '/api/console/member-import-file',
  summary: 'Looks at a CSV file of members, the body as it is, and says what each row would do; imports nothing',
  query: z.object({ filename: lineField(messages.text.unreadable, 200) }),
  uploadBytes: MOST_IMPORT_BYTES,
  reply: importReport,
  status: 201,
  failures: ['TOO_LARGE'],
})

export const getImport = endpoint({
  ...forOfficers,
  name: 'getImport',
  method: 'GET',
  path: '/api/console/member-imports/:id',
  summary: 'What a file says, and how far its import is',
  params,
  reply: importReport,
  failures: ['NOT_FOUND'],
})

export const confirmImport = endpoint({
  ...forOfficers,
  name: 'confirmImport',
  method: 'POST',
  path: '/api/console/member-imports/:id/confirm',
  asksAgain: true,
  summary: 'Imports the rows that are right; asked for twice, it is done once',
  params,
  body: z.object({
    /** New members get a letter with a link to choose a password. */
    sendsInvitations: z.boolean(),
  }),
  reply: importReport,
  failures: ['NOT_FOUND'],
})

export const undoImport = endpoint({
  ...forOfficers,
  name: 'undoImport',
  method: 'POST',
  path: '/api/console/member-imports/:id/undo',
  asksAgain: true,
  summary:
    'Removes the accounts that an import made and nobody has used or changed since; asked for twice, it is done once',
  params,
  body: z.object({}),
  reply: importReport,
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE'],
})

export const dropImport = endpoint({
  ...forOfficers,
  name: 'dropImport',
  method: 'DELETE',
  path: '/api/console/member-imports/:id',
  summary: 'Forgets a file of which nothing was imported',
  params,
  status: 204,
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE'],
})

export const getWrongRows = fileEndpoint({
  ...forOfficers,
  name: 'getWrongRows',
  method: 'GET',
  path: '/api/console/member-imports/:id/wrong-rows',
  summary: 'The wrong rows as they stand in the file, each with what is wrong, as CSV that no spreadsheet runs',
  params,
  media: 'text/csv',
  failures: ['NOT_FOUND'],
})
