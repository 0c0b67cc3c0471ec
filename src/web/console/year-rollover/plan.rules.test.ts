import { expect, test } from 'vitest'
import type { RollOverPlan } from '#contract/console/roll-over.ts'
import { toCommittee, stillMatches, toLeader, displayName, searchQuery, withSeat } from './plan.rules.ts'

const plan: RollOverPlan = {
  lastDay: '2027-06-30',
  newLastDay: '2028-06-30',
  executive: [
    { office: 'Treasurer', name: '', location: '', accountId: null },
    { office: 'Vice President', name: 'Dr. V', location: 'Rome', accountId: null },
  ],
  boards: [],
  committees: { isRenewed: false, list: [] },
  grants: [{ role: 'treasurer', name: '', accountId: null, startsOn: '2027-07-01', endsOn: '2028-06-30' }],
  endings: [],
  pastPresident: { isAdded: false, name: '', year: 2027 },
  keptLabels: [],
}
const known = [{ name: 'Dr. D', role: 'Director', location: 'Macon' }]

test('a leader in an office keeps their city and gets the role of the office', () => {
  const next = withSeat(plan, 0, { name: 'Dr. D', accountId: 'd' }, known)
  expect(next.executive[0]).toEqual({ office: 'Treasurer', name: 'Dr. D', location: 'Macon', accountId: 'd' })
  expect(next.grants[0]).toMatchObject({ role: 'treasurer', name: 'Dr. D', accountId: 'd' })
})

test('a city that was written stays, and offices without a role change no roles', () => {
  expect(withSeat(plan, 1, { location: 'Athens' }, known).executive[1]?.location).toBe('Athens')
  const other = withSeat(plan, 1, { name: 'Dr. W' }, known)
  expect([other.executive[1]?.location, other.grants]).toEqual(['Rome', plan.grants])
})

test('the city of a replaced leader is cleared', () => {
  const seated = withSeat(plan, 1, { name: 'Dr. D', location: 'Macon' }, known)
  expect(withSeat(seated, 1, { name: 'Dr. W' }, known).executive[1]?.location).toBe('')
})

test.each([
  ['Dr. Ana R', 'Ana R'],
  ['  Prof Drake ', 'Drake'],
  ['Dr.', ''],
])('%j looks for %j', (typed, pattern) => {
  expect(searchQuery(typed)).toBe(pattern)
})

test('a member keeps the name that was written, if it is theirs', () => {
  const ana = { firstName: 'Ana', lastName: 'Rao' }
  expect([displayName('Dr. Ana rao ', ana), displayName('an', ana)]).toEqual(['Dr. Ana rao', 'Ana Rao'])
})

test.each([
  ['Dr. Ana Rao', true],
  ['Dr. Ana', false],
  ['Dr. Vikram Shah', false],
])('%j is still Ana Rao: %j', (typed, still) => {
  expect(stillMatches(typed, { name: 'Ana Rao' })).toBe(still)
})

test('things of a form are whole', () => {
  expect(toLeader({ name: 'A', role: 3 })).toEqual({ name: 'A', role: '', location: '' })
  expect(toCommittee({ members: ['A', 1] })).toEqual({ id: '', title: '', blurb: '', members: ['A', ''] })
})
