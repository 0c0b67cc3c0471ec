import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { lineField } from '#contract/fields.ts'
import { messages } from '#contract/messages.ts'
import { IMPORT_MAX_BYTES } from '../import.ts'

/** Past payments of dues from another system. They are history: no receipt is emailed, and no membership changes. */

export const PAYMENT_COLUMNS = [
  'email',
  'paidOn',
  'amount',
  'currency',
  'level',
  'endsOn',
  'method',
  'reference',
] as const
export type PaymentColumn = (typeof PAYMENT_COLUMNS)[number]

export const PAYMENT_COLUMN_NAMES: Record<PaymentColumn, string> = {
  email: 'Email',
  paidOn: 'Paid on',
  amount: 'Amount',
  currency: 'Currency',
  level: 'Level',
  endsOn: 'Last day of the term',
  method: 'Method',
  reference: 'Reference',
}

/** Each file is imported in one transaction. */
export const PAYMENT_FILE_MAX_ROWS = 2_000
export const PAYMENT_ROWS_SHOWN = 100

const shared = { access: 'officer', permission: 'money.change' } as const
const column = z.nullable(z.enum(PAYMENT_COLUMNS))

const counts = z.object({
  new: z.int(),
  /** Recorded before, or twice in the file. */
  known: z.int(),
  wrong: z.int(),
  /** Cents of the new payments. */
  total: z.int(),
})

const file = z.object({
  /** Hash of the file, so that the import uses the file that was checked. */
  digest: z.string(),
  columns: z.array(z.object({ heading: z.string(), column, sample: z.string() })),
  counts,
  /** The first rows that are not imported, and why. */
  skipped: z.array(z.object({ line: z.int(), email: z.string(), sentence: z.string() })),
  /** A CSV with the verdict of each row, safe to open in a spreadsheet. */
  verdicts: z.string(),
})
export type PaymentFile = z.infer<typeof file>

const query = {
  filename: lineField(messages.text.unreadable, 200),
  /** The columns as chosen, in the order of the headings and separated by commas; empty parts are ignored. Left out, they are recognized by the headings. */
  columns: z.optional(
    z.string(messages.text.unreadable).check(z.regex(/^[a-zA-Z,]{0,2000}$/, messages.text.unreadable)),
  ),
}

export const checkPaymentFile = endpoint({
  ...shared,
  name: 'checkPaymentFile',
  method: 'POST',
  path: '/api/console/payment-import-file',
  summary: 'Check a CSV file of past payments of dues, sent as the raw body; records nothing',
  query: z.object(query),
  uploadBytes: IMPORT_MAX_BYTES,
  reply: file,
  failures: ['TOO_LARGE'],
})

export const importPaymentFile = endpoint({
  ...shared,
  name: 'importPaymentFile',
  method: 'POST',
  path: '/api/console/payment-imports',
  requiresFreshFactor: true,
  summary: 'Record the new payments of a checked file as history: no receipt is emailed, and no membership changes',
  query: z.object({ ...query, digest: z.string().check(z.regex(/^[0-9a-f]{64}$/, messages.text.unreadable)) }),
  uploadBytes: IMPORT_MAX_BYTES,
  reply: z.object({ recorded: z.int() }),
  status: 201,
  failures: ['TOO_LARGE', 'CHANGED_MEANWHILE'],
})

export const listPaymentImports = endpoint({
  ...shared,
  name: 'listPaymentImports',
  method: 'GET',
  path: '/api/console/payment-imports/recent',
  summary: 'List the imports of past payments of the last 30 days, newest first',
  reply: z.object({
    imports: z.array(
      z.object({
        id: z.string(),
        filename: z.string(),
        payments: z.int(),
        at: z.string(),
        by: z.string(),
        undoneAt: z.nullable(z.string()),
      }),
    ),
  }),
  failures: [],
})

export const undoPaymentImport = endpoint({
  ...shared,
  name: 'undoPaymentImport',
  method: 'POST',
  path: '/api/console/payment-imports/:id/undo',
  requiresFreshFactor: true,
  summary: 'Delete the payments of an import that nothing has happened to since',
  params: z.object({ id: lineField(messages.text.unreadable, 64) }),
  body: z.object({}),
  reply: z.object({
    removed: z.int(),
    /** Refunded, corrected or credited since, or on a statement that was emailed since, or of an account the officer may not change. */
    kept: z.int(),
  }),
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE'],
})
