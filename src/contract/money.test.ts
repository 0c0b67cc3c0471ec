import { expect, onTestFinished, test } from 'vitest'
import { currencyName, currencySign, formatMoney, priceAmount, pricePeriod } from './money.ts'
import { region, setRegion } from './region.ts'

test.each([
  [10_000, 'usd', '$100'],
  [100_000, 'usd', '$1,000'],
  [2_500, 'USD', '$25'],
  [1_250, 'usd', '$12.50'],
  [1, 'usd', '$0.01'],
  [0, 'usd', '$0'],
  [10_000_000, 'usd', '$100,000'],
  [123_456, 'usd', '$1,234.56'],
  [9_950, 'eur', '€99.50'],
])('%i minor units of %s read %s', (minorUnits, currency, text) => {
  expect(formatMoney(minorUnits, currency)).toBe(text)
})

const price = { unitAmount: 10_000, currency: 'usd', isRecurring: true, interval: 'year', intervalCount: 1 } as const

test.each([
  [{}, 'a year'],
  [{ intervalCount: 2 }, 'every 2 years'],
  [{ intervalCount: null }, 'a year'],
  [{ interval: 'month' }, 'a month'],
  [{ interval: 'month', intervalCount: 6 }, 'every 6 months'],
  [{ isRecurring: false, interval: null, intervalCount: null }, 'once'],
  [{ unitAmount: 0 }, 'for one year'],
  [{ unitAmount: 0, intervalCount: 3 }, 'for 3 years'],
] as const)('%o is paid %s', (changed, text) => {
  expect(pricePeriod({ ...price, ...changed })).toBe(text)
})

test('a zero price is shown as Free', () => {
  expect(priceAmount({ unitAmount: 0, currency: 'usd' })).toBe('Free')
  expect(priceAmount(price)).toBe('$100')
})

test.each([
  ['usd', '$', 'dollars'],
  ['gbp', '£', 'pounds'],
  ['eur', '€', 'euros'],
  ['inr', '₹', 'rupees'],
  ['chf', 'CHF', 'francs'],
  ['zar', 'R', 'rand'],
])('amounts in %s are labeled %s, or in %s', (currency, sign, name) => {
  const before = region()
  onTestFinished(() => setRegion(before))
  setRegion({ ...before, currency })
  expect([currencySign(), currencyName()]).toEqual([sign, name])
})
