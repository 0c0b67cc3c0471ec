import * as z from 'zod/mini'
import { messages } from '../messages.ts'
import { RECORD_ASKED, RECORD_KINDS, WIDEST_AUDIENCES } from './record-fields.ts'

/** A field as calls have it: `RecordField`. */
export const recordField = z.object({
  key: z.string(),
  label: z.string(),
  hint: z.nullable(z.string()),
  kind: z.enum(RECORD_KINDS),
  choices: z.array(z.string()),
  levels: z.array(z.string()),
  asked: z.enum(RECORD_ASKED),
  widest: z.enum(WIDEST_AUDIENCES),
  isRequired: z.boolean(),
})

const postalAddress = z.object({
  lines: z.array(z.string()),
  city: z.string(),
  region: z.string(),
  postalCode: z.string(),
  country: z.string(),
})

/** `RecordValue`. */
export const recordValue = z.union([z.string(), z.number(), z.array(z.string()), postalAddress])

const fieldKey = z.string().check(z.maxLength(100, messages.text.unreadable))
/** Something for each of some fields, by their key. */
export const byField = <Value extends z.ZodMiniType>(value: Value) =>
  z.record(fieldKey, value, messages.text.unreadable)

/** Unchecked values: `readRecordValue` checks each by its field. null or empty for none. */
export const recordInput = byField(z.unknown())
