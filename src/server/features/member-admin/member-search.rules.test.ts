import { expect, test } from 'vitest'
import { bestSuggestions, nearnessTo, searchWords } from './member-search.rules.ts'

test.each([
  ['Sen-Ravi, Nandini', ['Sen-Ravi', 'Nandini']],
  ['Sen-Ravi,Nandini', ['Sen-Ravi', 'Nandini']],
  [' "Asha Iyer" <asha@example.com>; ', ['Asha', 'Iyer', 'asha@example.com']],
  [', ', []],
])('%j is looked for as %j', (text, words) => {
  expect(searchWords(text)).toEqual(words)
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
])('%j is %j letters away', (typed, distance) => {
  const isNear = nearnessTo(typed)
  expect([isNear('Meera Raghuvanshi'), isNear('Meera Raghuvanshi')]).toEqual([distance, distance])
})

test('the nearest come first, five at most', () => {
  const found = Array.from({ length: 7 }, (_, index) => ({
    person: { id: `p${index}`, firstName: 'A', lastName: `L${index}` },
    distance: index === 6 ? 0 : 1,
  }))
  expect(bestSuggestions(found).map(({ id }) => id)).toEqual(['p6', 'p0', 'p1', 'p2', 'p3'])
})
