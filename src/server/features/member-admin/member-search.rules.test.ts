import { expect, test } from 'vitest'
import { bestSuggestions, createNameMatcher, parseSearchTerms } from './member-search.rules.ts'

test.each([
  ['Sen-Ravi, Nandini', ['Sen-Ravi', 'Nandini']],
  ['Sen-Ravi,Nandini', ['Sen-Ravi', 'Nandini']],
  [' "Asha Iyer" <asha@example.com>; ', ['Asha', 'Iyer', 'asha@example.com']],
  [', ', []],
])('%j is split into %j', (text, words) => {
  expect(parseSearchTerms(text)).toEqual(words)
})

test.each([
  ['raghuvamshi', 1],
  ['Raghuvansi', 1],
  ['meria', null],
  ['Mera Raghuvanshi', 1],
  ['emera', 1],
  ['raghuvam', 1],
  ['Raghuvanshi, Meera', 0],
  ['patel', null],
  ['meera patel', null],
  ['xy', null],
])('%j is %j edits away', (typed, distance) => {
  const { distanceTo } = createNameMatcher(typed)
  expect([distanceTo('Meera Raghuvanshi'), distanceTo('Meera Raghuvanshi')]).toEqual([distance, distance])
})

test('a part of a name is near if it is close to one word of the query', () => {
  const { isNear } = createNameMatcher('Mera Pattel')
  expect(['meera', 'patel', 'anna mera', 'raghuvanshi', ''].map(isNear)).toEqual([true, true, true, false, false])
  expect(createNameMatcher(' ').isNear('meera')).toBe(false)
})

test('returns the closest first, five at most', () => {
  const found = Array.from({ length: 7 }, (_, index) => ({
    person: { id: `p${index}`, firstName: 'A', lastName: `L${index}` },
    distance: index === 6 ? 0 : 1,
  }))
  expect(bestSuggestions(found).map(({ id }) => id)).toEqual(['p6', 'p0', 'p1', 'p2', 'p3'])
})
