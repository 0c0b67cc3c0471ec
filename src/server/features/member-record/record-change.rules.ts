import {
  appliesTo,
  audiencesOf,
  type RecordAudience,
  type RecordField,
  type StoredRecordField,
} from '#contract/member-record/record-fields.ts'
import { readRecordValue } from '#contract/member-record/read-record-value.ts'
import type { RecordValue } from '#contract/member-record/record-values.ts'
import { messages } from '#contract/messages.ts'
import { FIRST_AUDIENCE, visibleTo } from './audience.rules.ts'
import type { RecordEntry } from './record-value.queries.ts'

/** What is stored about one member, with the fields of today. */
export interface StoredRecord {
  fields: readonly StoredRecordField[]
  entries: readonly RecordEntry[]
  /** null without a membership. */
  level: string | null
}

/** The outcome for one field: `value` null deletes it. */
export interface EntryChange extends Pick<RecordEntry, 'audience' | 'changedBy' | 'confirmedOn'> {
  field: StoredRecordField
  value: RecordValue | null
}

export type PlannedChange = { changes: EntryChange[]; problems: null } | { problems: Record<string, string> }

interface Wanted {
  values: Readonly<Record<string, unknown>>
  audiences: Readonly<Record<string, RecordAudience>>
}

/** Applies what a member sent about the own record. @param today becomes the day on which the sent values were confirmed */
export function planOwnChange(record: StoredRecord, { values, audiences }: Wanted, today: string): PlannedChange {
  const problems: Record<string, string> = {}
  const changes: EntryChange[] = []
  for (const key of new Set([...Object.keys(values), ...Object.keys(audiences)])) {
    const field = record.fields.find((one) => one.key === key && !one.isRetired)
    const entry = record.entries.find(({ fieldKey }) => fieldKey === key)
    const sent = Object.hasOwn(values, key)
    const value = sent ? values[key] : undefined
    const audience = Object.hasOwn(audiences, key) ? audiences[key] : undefined
    const at = sent ? `values.${key}` : `audiences.${key}`
    // A value that is left from another level can only be deleted.
    const isAsked = field && (appliesTo(field, record.level) || (entry && (value ?? null) === null))
    if (!field || !isAsked) {
      problems[at] = messages.record.gone
      continue
    }
    if (sent && field.asked === 'officers') problems[at] = messages.record.ofOfficers
    if (audience && !audiencesOf(field).includes(audience)) problems[`audiences.${key}`] = messages.record.tooWide
    const read = sent ? readSent(field, entry, value) : { value: entry?.value ?? null, problems: null }
    if (read.problems) Object.assign(problems, prefixed(at, read.problems))
    else if (read.value === null && sent && field.isRequired) problems[at] ??= messages.record.required
    else if (read.value !== null || entry) {
      changes.push({
        field,
        value: read.value,
        audience: audience ?? entry?.audience ?? FIRST_AUDIENCE.owner,
        changedBy: entry && isSame(entry.value, read.value) ? entry.changedBy : 'owner',
        confirmedOn: sent ? today : (entry?.confirmedOn ?? null),
      })
    }
  }
  return Object.keys(problems).length > 0 ? { problems } : { changes, problems: null }
}

/** Applies what an officer entered: only values that officers see, and who sees them stays. */
export function planOfficerChange(
  record: StoredRecord,
  values: Readonly<Record<string, unknown>>,
  officerId: string,
): PlannedChange {
  const problems: Record<string, string> = {}
  const changes: EntryChange[] = []
  for (const [key, sent] of Object.entries(values)) {
    const field = record.fields.find((one) => one.key === key && !one.isRetired)
    const entry = record.entries.find(({ fieldKey }) => fieldKey === key)
    const audience = entry?.audience ?? FIRST_AUDIENCE.officer
    const at = `values.${key}`
    if (!field || !appliesTo(field, record.level)) {
      problems[at] = messages.record.gone
      continue
    }
    if (!visibleTo('officer', { field, audience, level: record.level })) {
      problems[at] = messages.record.private
      continue
    }
    const read = readSent(field, entry, sent)
    if (read.problems) Object.assign(problems, prefixed(at, read.problems))
    else if (!isSame(entry?.value ?? null, read.value))
      changes.push({ field, value: read.value, audience, changedBy: officerId, confirmedOn: null })
  }
  return Object.keys(problems).length > 0 ? { problems } : { changes, problems: null }
}

/**
 * The values of a registration form. Fields that are not asked there are ignored, so that an older page can still register.
 * @param fields those of the form
 */
export function readJoiningValues(
  fields: readonly RecordField[],
  input: Readonly<Record<string, unknown>>,
): { values: Record<string, RecordValue>; problems: null } | { problems: Record<string, string> } {
  const problems: Record<string, string> = {}
  const values: Record<string, RecordValue> = {}
  for (const field of fields) {
    const at = `record.${field.key}`
    const read = readRecordValue(field, Object.hasOwn(input, field.key) ? input[field.key] : null)
    if (read.problems) Object.assign(problems, prefixed(at, read.problems))
    else if (read.value !== null) values[field.key] = read.value
    else if (field.isRequired) problems[at] = messages.record.required
  }
  return Object.keys(problems).length > 0 ? { problems } : { values, problems: null }
}

/** A value that is stored is accepted as it is, though an option may be gone since. */
function readSent(field: StoredRecordField, entry: RecordEntry | undefined, sent: unknown) {
  return entry && isSame(entry.value, sent) ? { value: entry.value, problems: null } : readRecordValue(field, sent)
}

function prefixed(at: string, problems: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(problems).map(([part, text]) => [part ? `${at}.${part}` : at, text]))
}

/** Values are JSON, written by `readRecordValue` with their keys in one order. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
