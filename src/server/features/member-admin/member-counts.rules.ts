import { ENDING_DAYS, type MemberListQuery } from '#contract/console/member-list.ts'
import type { MemberGroup } from './member-counts.repository.ts'

/** The filters with a fixed set of values. */
export type Facets = Pick<MemberListQuery, 'status' | 'level' | 'credentials' | 'renewal' | 'ending'>
const FACETS = ['status', 'level', 'credentials', 'renewal'] as const

/** The numbers of days that groups must distinguish for these filters, ascending. */
export function daysToDistinguish(filters: readonly Facets[]): number[] {
  const days = [...ENDING_DAYS, ...filters.flatMap(({ ending }) => ending ?? [])].map(Number)
  return [...new Set(days)].sort((one, other) => one - other)
}

/** How many members match the filter. */
export function countMatching(groups: readonly MemberGroup[], filter: Facets): number {
  return sum(groups.filter((group) => matches(group, filter)))
}

/** The counts behind each value of each filter, under the other filters. */
export function countFacets(groups: readonly MemberGroup[], filter: Facets) {
  const { ending: _ending, ...withoutEnding } = filter
  const soon = groups.filter((group) => matches(group, withoutEnding))
  const counts: Record<'status' | 'level' | 'credentials' | 'renewal' | 'ending', Record<string, number>> = {
    status: {},
    level: {},
    credentials: {},
    renewal: {},
    ending: Object.fromEntries(ENDING_DAYS.map((days) => [days, countMatching(soon, { ending: days })])),
  }
  for (const facet of FACETS) {
    for (const group of groups) {
      const value = group[facet]
      if (value === null || !matches(group, { ...filter, [facet]: undefined })) continue
      counts[facet][value] = (counts[facet][value] ?? 0) + group.count
    }
  }
  return counts
}

function matches(group: MemberGroup, { ending, ...filter }: Facets): boolean {
  if (ending !== undefined && (group.endsWithin === null || group.endsWithin > Number(ending))) return false
  return FACETS.every((facet) => {
    const values = filter[facet]?.split(',')
    return values === undefined || (group[facet] !== null && values.includes(group[facet]))
  })
}

function sum(groups: readonly MemberGroup[]): number {
  return groups.reduce((total, { count }) => total + count, 0)
}
