import type { RollRule, RollWay } from '#contract/console/people/roll.ts'

const WAY_NAMES: Record<RollWay, string> = { email: 'Email', post: 'Post', none: 'None' }

interface ListedPerson {
  lastName: string
  firstName: string
  sortKey: string
  level: string
  way: RollWay
  address: string
}

/** The rows of a roll as a list, by the alphabet: names, levels, votes and postal addresses, without email addresses. */
export function rollRows(people: readonly ListedPerson[]): string[][] {
  const sorted = people.toSorted((one, other) =>
    one.sortKey < other.sortKey ? -1 : one.sortKey > other.sortKey ? 1 : 0,
  )
  return [
    ['Last name', 'First name', 'Level', 'Votes', 'Reached by', 'Postal address'],
    ...sorted.map(({ lastName, firstName, level, way, address }) => [
      lastName,
      firstName,
      level,
      '1',
      WAY_NAMES[way],
      address,
    ]),
  ]
}

/** The same for the same day and rule, however its levels are ordered. */
export function ruleKeyOf(recordDay: string, { levels, graceDays, includesLost }: RollRule): string {
  return [recordDay, [...new Set(levels)].toSorted().join(','), graceDays, includesLost ? 'lost' : 'reached'].join(' ')
}
