import { expect, test } from 'vitest'
import { findInCopy, numberedValue, pageWithPlanted, readerOf, readersNumber, realPart } from './planted-entry.rules.ts'

const named = (sortName: string) => ({ id: sortName, sortName })
const REAL = ['b', 'd', 'f', 'h', 'j'].map(named)

test.each([
  ['at the beginning', ['a']],
  ['in the middle', ['e', 'g']],
  ['at the end', ['k']],
  ['in several places', ['a', 'c', 'i', 'k', 'l']],
  ['beside the same name', ['d', 'd']],
])('pages of any size are parts of one list, with planted entries %s', (_where, names) => {
  const planted = names.map((sortName, at) => ({ id: `planted ${at}`, sortName }))
  const whole = pageWithPlanted(REAL, planted, { limit: 20, offset: 0 })
  expect(whole).toHaveLength(REAL.length + planted.length)
  expect(whole.map(({ sortName }) => sortName)).toEqual(whole.map(({ sortName }) => sortName).toSorted())
  for (const limit of [1, 2, 3, 5]) {
    const pages = Array.from({ length: 12 }, (_, page) => {
      const part = { limit, offset: page * limit }
      const { offset, limit: many } = realPart(planted.length, part)
      return pageWithPlanted(REAL.slice(offset, offset + many), planted, part)
    })
    expect(pages.flat()).toEqual(whole)
  }
})

test('a reader sees a number of four digits, the same each time', () => {
  const token = Buffer.from('ffffffff', 'hex').toString('base64url')
  expect(readersNumber(token)).toMatch(/^[1-9]\d{3}$/)
  expect(readersNumber(token)).toBe(readersNumber(token))
  expect(numberedValue('Suite {number}, Macon', '4711')).toBe('Suite 4711, Macon')
  expect(numberedValue(['{number}'], '4711')).toEqual(['{number}'])
})

test('an officer who views the site as a member is another reader, whatever the officer may', () => {
  const readers = [{}, { viewer: [] }, { viewer: ['members.look'] }].map((more) =>
    readerOf({ accountId: 'a', ...more }),
  )
  expect(new Set(readers).size).toBe(2)
  expect(readers[1]).toBe(readers[2])
})

const ENTRY = {
  firstName: 'Indumatí',
  lastName: 'Vellore',
  values: [
    { key: 'practice', label: 'Practice', kind: 'line', value: 'Lantana Heart, Suite {number}' },
    { key: 'city', label: 'City', kind: 'line', value: 'Macon' },
    { key: 'phone', label: 'Phone', kind: 'phone', value: '478 555 0142' },
    { key: 'specialty', label: 'Specialty', kind: 'choice', value: 'Internal Medicine' },
  ] as const,
}

test.each<[string, string, ReturnType<typeof findInCopy>]>([
  [
    'a list with commas and other capitals',
    'VELLORE, INDUMATI;lantana  heart, suite 4711;(478) 555-0142',
    { hasName: true, found: ['Practice', 'Phone'], numbers: new Map([['practice', new Set(['4711'])]]) },
  ],
  [
    'two copies in one text',
    'Indumati Vellore, Lantana Heart,\nSuite 4711\nIndumati Vellore, Lantana Heart, Suite 2222',
    { hasName: true, found: ['Practice'], numbers: new Map([['practice', new Set(['4711', '2222'])]]) },
  ],
  ['what every list has', 'Internal Medicine, Macon, Suite 4711', { hasName: false, found: [], numbers: new Map() }],
  ['another person of the name', 'Indumati V. Vellore', { hasName: false, found: [], numbers: new Map() }],
])('finds in %s what is of the entry', (_name, text, found) => {
  expect(findInCopy(ENTRY, text)).toEqual(found)
})
