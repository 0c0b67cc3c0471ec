import { expect, test } from 'vitest'
import type Stripe from 'stripe'
import { endOf } from './stripe-mapping.ts'

const PERIOD_END = 1_800_000_000
const DAY = 86_400

// https://docs.stripe.com/api/subscriptions/object: `cancel_at` may be any moment, also years after the current period.
test.each<[string, { at: number | null; atPeriodEnd?: boolean }, ReturnType<typeof endOf>]>([
  ['renews', { at: null }, null],
  ['was canceled in the portal', { at: null, atPeriodEnd: true }, 'period-end'],
  ['has the period’s end as a moment', { at: PERIOD_END }, 'period-end'],
  ['ends hours after its period, by hand', { at: PERIOD_END + DAY }, 'period-end'],
  ['ends within its period', { at: PERIOD_END - 100 * DAY }, 'period-end'],
  ['renews twice before it ends', { at: PERIOD_END + 700 * DAY }, 'later'],
])('a subscription that %s', (_case, { at, atPeriodEnd = false }, expected) => {
  const subscription = {
    cancel_at: at,
    cancel_at_period_end: atPeriodEnd,
    items: { data: [{ current_period_end: PERIOD_END }] },
  } as Stripe.Subscription
  expect(endOf(subscription)).toBe(expected)
})
