import { expect, test } from 'vitest'
import type { AssociationEvent } from '#contract/public/events.ts'
import { groupByMonth } from './event-groups.rules.ts'

const on = (startsOn: string) => ({ id: startsOn, startsOn }) as AssociationEvent

test('the first four months have their own heading, what follows is later, year by year', () => {
  const days = [
    '2026-11-30',
    '2026-12-05',
    '2026-12-19',
    '2027-01-09',
    '2027-02-06',
    '2027-03-27',
    '2027-06-05',
    '2028-01-08',
  ]
  const groups = groupByMonth(days.map(on)).map(({ name, year, events }) => [name, year, events.length])
  expect(groups).toEqual([
    ['November', 2026, 1],
    ['December', 2026, 2],
    ['January', 2027, 1],
    ['February', 2027, 1],
    ['Later', 2027, 2],
    ['Later', 2028, 1],
  ])
  expect(groupByMonth([])).toEqual([])
})
