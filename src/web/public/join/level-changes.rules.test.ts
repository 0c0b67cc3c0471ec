import { expect, test } from 'vitest'
import type { LevelChange } from '#contract/public/billing.ts'
import { describeLevelChange } from './level-changes.ts'

const annual = {
  _id: '1',
  key: 'annual_member',
  name: 'Annual Member',
  description: '',
  unitAmount: 10_000,
  currency: 'usd',
  interval: 'year' as const,
  intervalCount: 1,
  isRecurring: true,
}
const change: LevelChange = {
  levelKey: 'annual_member',
  currency: 'usd',
  credit: 0,
  dueToday: 4_000,
  next: { amount: 10_000, at: '2027-03-02T12:00:00.000Z' },
}

test.each<[Partial<LevelChange>, string]>([
  [{}, 'Today: $40. Then $100 a year from March 2, 2027 on.'],
  [
    { credit: 4_000 },
    'Today: $40 (after a $40 credit for the rest of your current membership). Then $100 a year from March 2, 2027 on.',
  ],
  [
    { dueToday: 0, next: { amount: 500, at: '2027-03-02T12:00:00.000Z' } },
    'Today: nothing. Then $5 on March 2, 2027, and $100 a year after that.',
  ],
  [{ next: null }, 'Today: $40. Nothing is charged automatically.'],
])('%o', (changed, text) => expect(describeLevelChange({ ...change, ...changed }, annual)).toBe(text))

test('a life membership has no later charge', () =>
  expect(describeLevelChange({ ...change, next: null }, { ...annual, interval: null, isRecurring: false })).toBe(
    'Today: $40. Nothing after that.',
  ))
