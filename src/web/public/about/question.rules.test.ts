import { expect, test } from 'vitest'
import { groupQuestions, matchesQuery } from './question.rules.ts'

const dues = {
  question: 'What are the dues?',
  answer: '<table><td>Annual Member</td><td>$100 a year</td></table>',
  group: null,
  isOpen: false,
}

test.each([
  ['', true],
  ['dues', true],
  ['annual du', true],
  ['  YEAR ', true],
  ['clinic', false],
  ['annual clinic', false],
  ['table', false],
])('a search for "%s" finds the question: %s', (query, isFound) => {
  expect(matchesQuery(dues, query)).toBe(isFound)
})

test.each([
  [[], []],
  [[null, null], [['Questions and answers', 2]]],
  [
    ['Dues', 'Clinic', 'Dues', null],
    [
      ['Dues', 2],
      ['Clinic', 1],
      ['Other questions', 1],
    ],
  ],
])('questions of the groups %j are grouped as %j', (groups, expected) => {
  const found = groupQuestions(groups.map((group) => ({ ...dues, group })))
  expect(found.map(({ title, entries }) => [title, entries.length])).toEqual(expected)
})
