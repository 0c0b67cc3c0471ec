import { findTyped, keepTyped } from './kept.ts'

/** What was typed into a field, and what it said before: somebody else may save something else there until it is taken up again. */
interface KeptField {
  value: string
  on: string
}

/** By the names of the fields. */
export type KeptFields = Readonly<Record<string, KeptField>>
type Texts = Readonly<Record<string, string>>

/** Empty when nothing is kept, or nothing that says what it was typed over. */
export function findFields(record: string): KeptFields {
  const entries = Object.entries(findTyped(record) ?? {})
  return Object.fromEntries(entries.filter((entry): entry is [string, KeptField] => isKeptField(entry[1])))
}

/**
 * Keeps the fields in which another text stands than they were given, each with what it was first typed over; forgets the others.
 * @param besides stays kept where nothing was entered
 */
export function keepFields(
  record: string,
  { entered, given, besides = {} }: { entered: Texts; given: Texts; besides?: KeptFields },
): void {
  const before = findFields(record)
  const typed = Object.entries(entered)
    .filter(([name, value]) => value !== given[name])
    .map(([name, value]) => [name, { value, on: before[name]?.on ?? given[name] ?? '' }])
  const kept = { ...besides, ...Object.fromEntries(typed) }
  keepTyped(record, Object.keys(kept).length > 0 ? kept : null)
}

function isKeptField(kept: unknown): kept is KeptField {
  if (typeof kept !== 'object' || kept === null || !('value' in kept) || !('on' in kept)) return false
  return typeof kept.value === 'string' && typeof kept.on === 'string'
}
