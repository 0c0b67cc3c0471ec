import { foldText } from '#server/db/fold-text.rules.ts'
import { tolerance, wordDistance } from '#server/db/word-distance.rules.ts'

/** Punctuation around a word of pasted text, such as the comma in "Last, First". */
const AROUND = /^[\s,;:"()<>[\]]+|[\s,;:"()<>[\]]+$/gu
const BETWEEN = /[^\p{L}\p{N}]+/u
const MOST_SUGGESTIONS = 5

/** Splits a query into search terms and strips punctuation. */
export function parseSearchTerms(text: string): string[] {
  return text
    .split(/[\s,;]+/)
    .map((word) => word.replaceAll(AROUND, ''))
    .filter(Boolean)
}

export interface NamedPerson {
  id: string
  firstName: string
  lastName: string
}

/**
 * Returns a function that scores a name against the query: 0 for an exact match, null for no match. Each query word must be close to a word of the name
 * or to its beginning. Distances are cached by the parts of a name as they are written, since many people share them and folding takes the longest.
 */
export function createNameMatcher(typed: string): (name: string) => number | null {
  const sought = foldText(typed)
    .split(BETWEEN)
    .filter(Boolean)
    .map((word) => ({ word, most: tolerance(word), distances: new Map<string, number>() }))
  return (name) => {
    const parts = name.split(' ')
    let sum = 0
    for (const { word, most, distances } of sought) {
      let least = most + 1
      for (const part of parts) {
        const distance = distances.get(part) ?? partDistance(word, part, most)
        distances.set(part, distance)
        least = Math.min(least, distance)
      }
      if (least > most) return null
      sum += least
    }
    return sought.length === 0 ? null : sum
  }
}

/** The distance to the closest word of a part of a name, such as "Rao-Iyer". */
function partDistance(word: string, part: string, most: number): number {
  const words = foldText(part).split(BETWEEN)
  return Math.min(...words.map((one) => wordDistance(word, one, most)))
}

/** The closest names, best first. */
export function bestSuggestions<Person extends NamedPerson>(
  found: readonly { person: Person; distance: number }[],
): Person[] {
  return found
    .toSorted(
      (one, other) =>
        one.distance - other.distance ||
        one.person.lastName.localeCompare(other.person.lastName, 'en') ||
        one.person.firstName.localeCompare(other.person.firstName, 'en'),
    )
    .slice(0, MOST_SUGGESTIONS)
    .map(({ person }) => person)
}
