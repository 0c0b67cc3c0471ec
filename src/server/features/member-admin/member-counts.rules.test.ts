import { expect, test } from 'vitest'
import type { MemberGroup } from './member-counts.repository.ts'
import { countFacets, countMatching, daysToDistinguish } from './member-counts.rules.ts'

const group = (given: Partial<MemberGroup>): MemberGroup => ({
  status: 'ACTIVE',
  level: 'annual',
  credentials: 'none',
  renewal: 'manual',
  endsWithin: null,
  count: 1,
  ...given,
})
const groups = [
  group({ count: 10, endsWithin: 30 }),
  group({ count: 5, level: 'life', renewal: 'never', credentials: 'approved' }),
  group({ count: 3, status: 'EXPIRED', renewal: null }),
  group({ count: 2, status: 'NONE', level: null, renewal: null }),
]

test.each([
  [{}, 20],
  [{ status: 'ACTIVE' }, 15],
  [{ status: 'ACTIVE,EXPIRED' }, 18],
  [{ status: 'ACTIVE', level: 'life' }, 5],
  [{ ending: '30' }, 10],
  [{ ending: '7' }, 0],
  [{ renewal: 'manual' }, 10],
  [{ credentials: 'none', level: 'annual' }, 13],
])('%j matches %i members', (filter, count) => {
  expect(countMatching(groups, filter)).toBe(count)
})

test('each value is counted under the other filters, not under its own', () => {
  const facets = countFacets(groups, { status: 'EXPIRED', level: 'annual' })
  expect(facets.status).toEqual({ ACTIVE: 10, EXPIRED: 3 })
  expect(facets.level).toEqual({ annual: 3 })
  expect(facets.ending).toEqual({ 7: 0, 30: 0, 60: 0, 90: 0 })
  expect(countFacets(groups, {}).ending).toEqual({ 7: 0, 30: 10, 60: 10, 90: 10 })
})

test('groups distinguish the usual days and those of the filters', () => {
  expect(daysToDistinguish([{ ending: '45' }, { ending: '30' }, {}])).toEqual([7, 30, 45, 60, 90])
})
