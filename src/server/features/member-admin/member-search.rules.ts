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

/** Compares names with a query. Distances are cached by the parts of a name as they are written, since many people share them and folding takes the longest. */
export interface NameMatcher {
  /** 0 for an exact match; null if a word of the query is close to no word of the name, or to its beginning. */
  distanceTo(name: string): number | null
  /** Whether a part of someone's name, such as the last name, is close to a word of the query. */
  isNear(part: string): boolean
}

export function createNameMatcher(typed: string): NameMatcher {
  const sought = foldText(typed)
    .split(BETWEEN)
    .filter(Boolean)
    .map((word) => ({ word, most: tolerance(word), distances: new Map<string, number>() }))

  function leastDistance({ word, most, distances }: (typeof sought)[number], name: string): number {
    let least = most + 1
    for (const part of name.split(' ')) {
      const distance = distances.get(part) ?? partDistance(word, part, most)
      distances.set(part, distance)
      least = Math.min(least, distance)
    }
    return least
  }

  return {
    isNear: (part) => sought.some((one) => leastDistance(one, part) <= one.most),
    distanceTo(name) {
      let sum = 0
      for (const one of sought) {
        const least = leastDistance(one, name)
        if (least > one.most) return null
        sum += least
      }
      return sought.length === 0 ? null : sum
    },
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
