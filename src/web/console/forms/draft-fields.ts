import { readDraft, storeDraft } from './draft-storage.ts'

/** A field's draft value and the saved value it is based on, to detect conflicts when the draft is restored. */
interface DraftField {
  value: string
  on: string
}

/** Keyed by field name. */
export type DraftFields = Readonly<Record<string, DraftField>>
type Texts = Readonly<Record<string, string>>

/** Returns an empty object when there is no valid draft. */
export function readDraftFields(record: string): DraftFields {
  const entries = Object.entries(readDraft(record) ?? {})
  return Object.fromEntries(entries.filter((entry): entry is [string, DraftField] => isKeptField(entry[1])))
}

/**
 * Stores the fields whose value differs from the saved one, each with the value it was first based on; removes the others.
 * @param besides draft values to keep for fields without input
 */
export function storeDraftFields(
  record: string,
  { entered, given, besides = {} }: { entered: Texts; given: Texts; besides?: DraftFields },
): void {
  const before = readDraftFields(record)
  const typed = Object.entries(entered)
    .filter(([name, value]) => value !== given[name])
    .map(([name, value]) => [name, { value, on: before[name]?.on ?? given[name] ?? '' }])
  const kept = { ...besides, ...Object.fromEntries(typed) }
  storeDraft(record, Object.keys(kept).length > 0 ? kept : null)
}

function isKeptField(kept: unknown): kept is DraftField {
  if (typeof kept !== 'object' || kept === null || !('value' in kept) || !('on' in kept)) return false
  return typeof kept.value === 'string' && typeof kept.on === 'string'
}
