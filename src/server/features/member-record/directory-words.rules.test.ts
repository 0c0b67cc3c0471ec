import { describe, expect, test } from 'vitest'
import {
  filterValues,
  filterWord,
  lookupsOf,
  matchesWord,
  soughtWords,
  spellingsOf,
  wordsMeant,
} from './directory-words.rules.ts'

test('sought words have no accents, no case and no initials', () => {
  expect(soughtWords('Dr. K. Śrī-Rāman O’Neil, Müller')).toEqual(['dr', 'sri', 'raman', 'neil', 'muller'])
})

describe('a word is found', () => {
  test.each([
    ['pat', 'patnaik'],
    ['agrawal', 'aggarwal'],
    ['chowdhary', 'choudhury'],
    ['shrinivasan', 'srinivasan'],
    ['kirshnan', 'krishnan'],
    ['philips', 'filips'],
    ['nephology', 'nephrology'],
    ['raghunatan', 'raghunathan'],
    ['cardiolgy', 'cardiology'],
  ])('%s finds %s, and both are stored under a common spelling', (sought, word) => {
    expect(matchesWord(sought, word)).toBe(true)
    expect(lookupsOf(sought).some((lookup) => spellingsOf(word).includes(lookup))).toBe(true)
  })

  test.each([
    ['rao', 'ray'],
    ['patel', 'gupta'],
    ['macon', 'athens'],
    ['31201', '31202'],
    ['cardiology', 'neurology'],
  ])('%s does not find %s', (sought, word) => expect(matchesWord(sought, word)).toBe(false))
})

test('a word that is only almost the sought one counts if there is no better one', () => {
  expect(wordsMeant('patel', ['patel', 'patell', 'patil', 'pater'])).toEqual(['patel', 'patell', 'patil'])
  expect(wordsMeant('nephology', ['nephrology', 'cardiology'])).toEqual(['nephrology'])
})

test('filters compare whole values: each choice, the city of an address', () => {
  expect(filterValues(['Hindi', 'Odia'])).toEqual(['=hindi', '=odia'])
  expect(filterValues({ lines: ['1 A St'], city: 'St. Mary’s', region: 'GA', postalCode: '1', country: '' })).toEqual([
    filterWord('st mary s'),
  ])
  expect(filterValues(1994)).toEqual([])
})
