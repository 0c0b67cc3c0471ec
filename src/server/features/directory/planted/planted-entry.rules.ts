import { READERS_NUMBER } from '#contract/console/people/planted-entries.ts'
import { isAddress, recordText, type RecordValue } from '#contract/member-record/record-values.ts'
import type { RecordKind } from '#contract/member-record/record-fields.ts'
import { foldText } from '#server/db/fold-text.rules.ts'

const LOWEST_NUMBER = 1_000
const HIGHEST_NUMBER = 9_999

/** The number that a reader sees in place of `{number}`. @param token of the entry, the field and the reader */
export function readersNumber(token: string): string {
  const range = HIGHEST_NUMBER - LOWEST_NUMBER + 1
  return String(LOWEST_NUMBER + (Buffer.from(token, 'base64url').readUInt32BE(0) % range))
}

/** Whose number is shown: an officer who views the site as a member has another one than the member. */
export function readerOf({ accountId, viewer }: { accountId: string; viewer?: readonly unknown[] }): string {
  return viewer ? `view of ${accountId}` : accountId
}

/** A value as a reader with this number sees it. */
export function numberedValue(value: RecordValue, number: string): RecordValue {
  const numbered = (text: string) => text.replaceAll(READERS_NUMBER, number)
  if (typeof value === 'string') return numbered(value)
  return isAddress(value) ? { ...value, lines: value.lines.map(numbered) } : value
}

function hasReadersNumber(value: RecordValue): boolean {
  return recordText(value).includes(READERS_NUMBER)
}

interface Sorted {
  id: string
  sortName: string
}

/**
 * The part of a list with planted entries in it that a page shows: planted entries take their places by name, and move what follows.
 * @param real those of `realPart`, in the order of the database
 */
export function pageWithPlanted<Real extends Sorted, Planted extends Sorted>(
  real: readonly Real[],
  planted: readonly Planted[],
  { limit, offset }: { limit: number; offset: number },
): (Real | Planted)[] {
  const merged: (Real | Planted)[] = [...real]
  for (const entry of planted.toSorted((one, other) => (isBefore(one, other) ? -1 : 1))) {
    // Before the first real one that follows it: the order of the database stays as it is.
    const at = merged.findIndex((one) => isBefore(entry, one))
    merged.splice(at === -1 ? merged.length : at, 0, entry)
  }
  const start = offset - realPart(planted.length, { limit, offset }).offset
  return merged.slice(start, start + limit)
}

/** The part of the real list from which such a page is made: each planted entry before it moves it by one. */
export function realPart(planted: number, { limit, offset }: { limit: number; offset: number }) {
  const from = Math.max(0, offset - planted)
  return { offset: from, limit: limit + offset - from }
}

function isBefore(one: Sorted, other: Sorted): boolean {
  return one.sortName === other.sortName ? one.id < other.id : one.sortName < other.sortName
}

/** Shorter texts, such as a city, are in every list. */
const TELLING_LENGTH = 12

/** What of a planted entry is in a text that may be a copy of the directory. */
export function findInCopy(
  { firstName, lastName, values }: PlantedTexts,
  text: string,
): { hasName: boolean; found: string[]; numbers: Map<string, Set<string>> } {
  const copy = foldLine(text)
  const [first, last] = [foldLine(firstName), foldLine(lastName)]
  const hasName = [`${first} ${last}`, `${last}, ${first}`, `${last} ${first}`].some((name) => copy.includes(name))
  const found: string[] = []
  const numbers = new Map<string, Set<string>>()
  for (const { key, label, kind, value } of values) {
    const matches = [...copy.matchAll(patternOf(kind, value))]
    if (matches.length === 0) continue
    found.push(label)
    if (hasReadersNumber(value)) numbers.set(key, new Set(matches.map(([, number]) => number ?? '')))
  }
  return { hasName, found, numbers }
}

interface PlantedTexts {
  firstName: string
  lastName: string
  values: readonly { key: string; label: string; kind: RecordKind; value: RecordValue }[]
}

const NOTHING = /(?!)/g

/** Finds a value in a folded text; its group is the reader's number. */
function patternOf(kind: RecordKind, value: RecordValue): RegExp {
  if (kind === 'phone')
    return new RegExp(
      recordText(value)
        .replaceAll(/\D/g, '')
        .split('')
        .join(String.raw`[\s().+/-]*`),
      'g',
    )
  const text = foldLine(recordText(value))
  const isTelling = kind === 'line' || kind === 'address'
  if (!isTelling || (text.length < TELLING_LENGTH && !hasReadersNumber(value))) return NOTHING
  return new RegExp(RegExp.escape(text).replaceAll(RegExp.escape(READERS_NUMBER), String.raw`(\d{4})`), 'g')
}

/** In lower case without accents, with single spaces. */
function foldLine(text: string): string {
  return foldText(text).replaceAll(/\s+/g, ' ').trim()
}
