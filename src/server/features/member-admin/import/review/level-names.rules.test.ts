import { expect, test } from 'vitest'
import { EARLIER_NAMES_MAX } from '#contract/console/people/earlier-levels.ts'
import type { EarlierLevels } from '#server/features/levels/earlier-levels.rules.ts'
import { parseMemberRows } from '../member-rows.rules.ts'
import { choicesOf, earlierNames } from './level-names.rules.ts'

const LEVELS = [
  { key: 'annual', name: 'Annual Member' },
  { key: 'life', name: 'Life Member' },
  { key: 'gold_member', name: 'Gold Member' },
  { key: 'resident', name: 'Resident' },
]

const match = (texts: readonly string[], chosen: EarlierLevels = new Map()) =>
  earlierNames(texts, { levels: LEVELS, chosen })

test.each(['Annual Member', 'annual member', ' annual ', 'LIFE'])('%s is the name or key of a level', (text) => {
  expect(match([text])).toEqual([])
})

test.each<[string, string | null]>([
  ['Life Member (old)', 'life'],
  ['Annual Member - $100.00 (USD)', 'annual'],
  ['annual-member', 'annual'],
  ['Gold', 'gold_member'],
  ['Residents', 'resident'],
  ['Residents - $25', 'resident'],
  ['Member', null],
  ['Platinum', null],
  ['', null],
  ['–', null],
])('"%s" is suggested as %s', (text, levelKey) => {
  expect(match([text])).toMatchObject([{ choice: levelKey === null ? 'none' : 'suggested', levelKey, rows: 1 }])
})

test.each<[string, [string, string | null][], string, string | null]>([
  ['what officers chose comes first', [['gold', 'annual']], 'chosen', 'annual'],
  ['what they left out stays out', [['gold', null]], 'left-out', null],
  ['a level that is gone is not chosen', [['gold', 'bronze']], 'suggested', 'gold_member'],
  ['the level of a price of this name is suggested', [['gold 8000 usd 12', 'life']], 'suggested', 'life'],
  [
    'two levels of prices of this name are no suggestion',
    [
      ['gold 8000 usd 12', 'life'],
      ['gold 800 usd 1', 'annual'],
    ],
    'suggested',
    'gold_member',
  ],
  ['a price of this name that is left out says nothing', [['gold 500 usd 1', null]], 'suggested', 'gold_member'],
])('%s', (_name, chosen, choice, levelKey) => {
  expect(match(['Gold'], new Map(chosen))).toMatchObject([{ choice, levelKey }])
})

test('one name is listed once, whatever its capitals and spaces, and the names with most rows come first', () => {
  const found = match(['', 'Silver', 'Gold', 'GOLD ', '-', 'gold!', 'Annual Member'])
  expect(found.map(({ key, name, rows }) => [key, name, rows])).toEqual([
    ['gold', 'Gold', 3],
    ['', '', 2],
    ['silver', 'Silver', 1],
  ])
})

test('a column with a name for each row is not the level: the rest have no match, not even a suggested one', () => {
  const texts = Array.from({ length: EARLIER_NAMES_MAX + 50 }, (_, index) => `Gold ${index}`)
  expect(match(texts)).toHaveLength(EARLIER_NAMES_MAX)
})

test('the next check has what officers chose, and suggests the rest again', () => {
  const names = match(
    ['Gold', 'Silver', 'Bronze'],
    new Map([
      ['gold', 'annual'],
      ['silver', null],
    ]),
  )
  expect(choicesOf(names)).toEqual([
    ['gold', 'annual'],
    ['silver', null],
  ])
  expect(choicesOf(null)).toEqual([])
})

const HEADING = ['email', 'firstName', 'lastName', 'level', 'startedOn', 'endsOn']
function read(...levels: string[]) {
  const rows = levels.map((level) => ['nila@example.com', 'Nila', 'Rao', level, '2026-01-15', '2027-01-15'])
  const lines = [HEADING, ...rows].map((cells, index) => ({ line: index + 1, cells }))
  const known = new Map(LEVELS.map(({ key, name }) => [key, { name, isRecurring: key !== 'life' }]))
  const levelNames = match(
    levels,
    new Map([
      ['gold', 'annual'],
      ['guest', null],
    ]),
  )
  return parseMemberRows(lines, known, HEADING as never, [], null, { levelNames })
}

test('a row has the level of its name, and the checks of that level', () => {
  expect(read('Gold')[0]).toMatchObject({ row: { level: 'annual' } })
  expect(read('Life Member (old)')[0]).toMatchObject({ faults: [{ column: 'endsOn' }] })
})

test('a name without a level says where to choose one', () => {
  expect(read('Silver')[0]).toMatchObject({
    faults: [
      { column: 'level', sentence: 'There is no level "Silver".', cure: expect.stringContaining('under Levels') },
    ],
  })
  expect(read('')[0]).toMatchObject({
    faults: [{ column: 'level', sentence: 'The level is missing.', cure: expect.stringContaining('under Levels') }],
  })
})

test('a row that is left out does not stand in the way of another one with its address', () => {
  expect(read('Guest', 'Gold')).toMatchObject([{ isLeftOut: true }, { row: { level: 'annual' } }])
})
