import { expect, test } from 'vitest'
import { decidableFrom, sourcesOf, undoUntil } from './person-state.rules.ts'

const DAY_MS = 86_400_000
const link = (day: number) => ({ source: 'By the link', reportedBy: null, reportedAt: day * DAY_MS })
const by = (source: string, day: number) => ({ source, reportedBy: 'officer', reportedAt: day * DAY_MS })

test.each([
  ['nothing', [], null],
  ['one source', [by('Obituary', 0)], null],
  ['two clicks on links', [link(0), link(1)], null],
  ['the same source twice', [by('Obituary', 0), by('obituary ', 1)], null],
  ['a link and an officer', [link(0), by('The family called', 3)], 7],
  ['two sources of one officer', [by('Obituary', 2), by('The family called', 8)], 9],
] as const)('with %s officers may decide on day %s', (_what, reports, day) => {
  expect(decidableFrom(reports)).toBe(day === null ? null : day * DAY_MS)
})

test('sources are named as they were reported', () => {
  expect(sourcesOf([by('Obituary', 0), by('OBITUARY', 1), link(2)])).toEqual(['Obituary', 'By the link'])
})

test('a death can be undone for 30 days, lost contact at any time', () => {
  expect(undoUntil({ state: 'deceased', decidedAt: 0 })).toBe(30 * DAY_MS)
  expect(undoUntil({ state: 'lost', decidedAt: 0 })).toBeNull()
})
