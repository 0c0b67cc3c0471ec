import { describe, expect, test } from 'vitest'
import { arrangeByLevel, countChanges, monthsUntil, type MembershipSpan } from './member-report.rules.ts'
import { renewalRate } from './report-tables.rules.ts'

const at = (day: string) => Date.parse(`${day}T00:00:00Z`)

test('months end with the one of today, also over the end of a year and in a leap year', () => {
  expect(monthsUntil('2028-02-29', 3, at).map(({ month }) => month)).toEqual(['2027-12', '2028-01', '2028-02'])
  expect(monthsUntil('2028-02-29', 1, at)[0]).toEqual({
    month: '2028-02',
    from: at('2028-02-01'),
    until: at('2028-03-01'),
  })
})

describe('changes of a month', () => {
  const months = monthsUntil('2026-03-15', 3, at)
  const now = at('2026-03-15')
  const span = (over: Partial<MembershipSpan>): MembershipSpan => ({
    startedAt: at('2025-01-10'),
    endsAt: null,
    endedBefore: null,
    nextStartedAt: null,
    ...over,
  })
  const countOf = (one: MembershipSpan) =>
    countChanges(months, [one], now).flatMap(({ month, joined, returned, lost }) =>
      joined + returned + lost === 0 ? [] : [{ month, joined, returned, lost }],
    )

  test.each<[string, Partial<MembershipSpan>, object[]]>([
    ['a first membership', { startedAt: at('2026-02-01') }, [{ month: '2026-02', joined: 1, returned: 0, lost: 0 }]],
    ['one before the period', {}, []],
    [
      'one that follows at once, such as another level',
      { startedAt: at('2026-02-01'), endedBefore: at('2026-02-01') },
      [],
    ],
    [
      'one after a break',
      { startedAt: at('2026-02-01'), endedBefore: at('2025-11-01') },
      [{ month: '2026-02', joined: 0, returned: 1, lost: 0 }],
    ],
    ['one that ended', { endsAt: at('2026-01-20') }, [{ month: '2026-01', joined: 0, returned: 0, lost: 1 }]],
    ['one that ended and was continued', { endsAt: at('2026-01-20'), nextStartedAt: at('2026-02-20') }, []],
    ['one that ends later', { endsAt: at('2026-03-20') }, []],
  ])('%s', (_, over, expected) => expect(countOf(span(over))).toEqual(expected))
})

test('levels are in the order of their members today, and a level without any that day counts 0', () => {
  const moments = [
    { month: '2026-01', at: 1 },
    { month: '2026-02', at: 2 },
  ]
  const counts = [
    { at: 1, levelKey: 'student', count: 9 },
    { at: 2, levelKey: 'life', count: 4 },
    { at: 2, levelKey: 'annual', count: 7 },
  ]
  expect(arrangeByLevel(moments, counts, new Map([['life', 'Life']]))).toEqual({
    levels: [
      { key: 'annual', name: 'annual' },
      { key: 'life', name: 'Life' },
      { key: 'student', name: 'student' },
    ],
    months: [
      { month: '2026-01', counts: [0, 0, 9] },
      { month: '2026-02', counts: [7, 4, 0] },
    ],
  })
})

test.each([
  [{ due: 0, renewed: 0 }, ''],
  [{ due: 3, renewed: 2 }, '67%'],
  [{ due: 4, renewed: 4 }, '100%'],
])('the renewal rate of %j is "%s"', (counts, rate) => expect(renewalRate(counts)).toBe(rate))
