import * as z from 'zod/mini'
import { messages } from '#contract/messages.ts'

/** A filter by fields of the member record, as one parameter: itself a query string of field keys and values, such as `specialty=Cardiology&specialty=Nephrology&home=Macon`. */

/** Values of one field, which are alternatives; '' stands for members without a value. */
export type RecordFilter = Readonly<Record<string, readonly string[]>>

/** Pairs of a field and a value. */
const PAIRS_MAX = 40

export const recordFilterText = z.string(messages.text.unreadable).check(
  z.maxLength(2_000, messages.text.unreadable),
  z.refine((text) => {
    const pairs = [...new URLSearchParams(text)]
    return pairs.length <= PAIRS_MAX && pairs.every(([key]) => /^[a-z0-9-]{1,100}$/.test(key))
  }, messages.text.unreadable),
)

export function readRecordFilter(text: string): RecordFilter {
  const parameters = new URLSearchParams(text)
  return Object.fromEntries([...new Set(parameters.keys())].map((key) => [key, parameters.getAll(key)]))
}

/** The same filter is always the same text; '' filters nothing. */
export function writeRecordFilter(filter: RecordFilter): string {
  const pairs = Object.entries(filter).flatMap(([key, values]) => values.map((value): [string, string] => [key, value]))
  const parameters = new URLSearchParams(pairs)
  parameters.sort()
  return String(parameters)
}
