import { expect, test } from 'vitest'
import type { Level } from '#server/features/levels/level.queries.ts'
import type { ForeignSubscription } from '#server/stripe/payment-gateway.ts'
import { earlierPrices } from './earlier-prices.rules.ts'

const level = (key: string, name: string, unitAmount: number, interval: 'year' | 'month' | null = 'year') =>
  ({ key, name, unitAmount, currency: 'usd', interval, intervalCount: 1, isRecurring: interval !== null }) as Level
const LEVELS = [
  level('annual', 'Annual Member', 10_000),
  level('annual_monthly', 'Annual Member, monthly', 900, 'month'),
  level('resident', 'Resident', 2_500),
  level('associate', 'Associate', 5_000),
  level('friend', 'Friend', 5_000),
  level('student', 'Student', 0),
  level('life', 'Life Member', 100_000, null),
]

function subscription(name: string, amount: number | null, { months = 12, currency = 'usd', isOurs = false } = {}) {
  const snapshot = { renewalAmount: amount } as ForeignSubscription['snapshot']
  return { name, months, currency, isOurs, snapshot } as ForeignSubscription
}

test.each<[string, ForeignSubscription, string | null]>([
  ['the same name', subscription('annual-member', 7_000), 'annual'],
  ['a similar name', subscription('Resident (Yearly)', 3_000), 'resident'],
  ['the same amount', subscription('Gold', 2_500), 'resident'],
  ['two levels of that amount', subscription('Gold', 5_000), null],
  ['a name of another term', subscription('Annual Member', 900, { months: 1 }), 'annual_monthly'],
  ['a level that is free', subscription('Student', 2_000), null],
  ['a lifetime level', subscription('Life Member', 2_000), null],
  ['another currency', subscription('Annual Member', 10_000, { currency: 'eur' }), null],
  ['no name and no amount', subscription('', null), null],
])('a price with %s', (_name, given, expected) => {
  const [price] = earlierPrices([given], { levels: LEVELS, chosen: new Map() })
  expect(price).toMatchObject({ levelKey: expected, choice: expected === null ? 'none' : 'suggested' })
})

test('prices with one name, amount and term are one; what officers chose comes first, unless the level is gone', () => {
  const subscriptions = [
    subscription('Gold', 8_000),
    subscription('GOLD', 8_000),
    subscription('Gold', 9_000),
    subscription('Resident', 2_500),
    subscription('Gift', 500, { months: 1 }),
    subscription('Annual Member', 10_000, { isOurs: true }),
  ]
  const keys = earlierPrices(subscriptions, { levels: LEVELS, chosen: new Map() }).map(({ key }) => key)
  const [gold, , gift, resident] = [keys[0]!, '', keys.find((key) => key.startsWith('gift'))!, keys.at(-1)!]
  expect(keys).toHaveLength(4)
  const chosen = new Map([
    [gold, 'annual'],
    [gift, null],
    [resident, 'no longer there'],
  ])
  const found = new Map(earlierPrices(subscriptions, { levels: LEVELS, chosen }).map((price) => [price.key, price]))
  expect(found.get(gold)).toMatchObject({ subscriptions: 2, choice: 'chosen', levelKey: 'annual' })
  expect(found.get(gift)).toMatchObject({ choice: 'left-out', levelKey: null })
  expect(found.get(resident)).toMatchObject({ choice: 'suggested', levelKey: 'resident' })
})
