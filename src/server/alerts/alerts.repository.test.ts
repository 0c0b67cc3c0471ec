import { expect, test } from 'vitest'
import { NOW, useTestDatabase } from '#tests/support/use-test-database.ts'
import type { AlertKind } from './alert-limits.rules.ts'
import { createAlerts } from './alerts.ts'

const db = useTestDatabase()
const MINUTE_MS = 60_000
const QUARTER_MS = 15 * MINUTE_MS
const DAY_MS = 86_400_000
const quiet = { debug() {}, info() {}, warn() {}, error() {} }

type Details = Record<string, string | number>

async function raise(kind: AlertKind, details: Details, at = NOW): Promise<void> {
  await createAlerts(db(), { now: () => at, close() {} }, quiet).raise(kind, details)
}

async function emails(): Promise<{ details: Details; isOfMany: boolean }[]> {
  const rows = await db()
    .selectFrom('outbox')
    .select('payload')
    .where('kind', '=', 'email.alert')
    .orderBy('id')
    .execute()
  return rows.map(({ payload }) => JSON.parse(payload) as { details: Details; isOfMany: boolean })
}

test('the officers get one email per 15 minutes about a repeated alert', async () => {
  for (let call = 0; call < 5; call++) await raise('bot-check-unavailable', { action: `${call}` })
  expect(await emails()).toHaveLength(1)
  await raise('bot-check-unavailable', { action: '5' }, NOW + QUARTER_MS)
  expect(await emails()).toHaveLength(2)
})

test.each<[AlertKind, (index: number) => Details]>([
  ['payment-disputed', (index) => ({ payment: `pay_${index}`, state: 'open' })],
  ['double-payment', (index) => ({ checkout: `checkout_${index}` })],
  ['payment-mismatch', (index) => ({ checkout: `checkout_${index}`, ordered: 10_000, paid: 1 })],
  ['stray-subscription', (index) => ({ subscription: `sub_${index}` })],
  ['unknown-payment', (index) => ({ payments: 1, checkouts: `cs_${index} (no customer)` })],
])('five of %s in ten minutes are five emails, each at most once a day', async (kind, details) => {
  for (let index = 0; index < 5; index++) await raise(kind, details(index), NOW + index * 2 * MINUTE_MS)
  const emailed = (await emails()).map((email) => email.details)
  expect(emailed).toEqual([0, 1, 2, 3, 4].map(details))
  for (let hour = 1; hour < 12; hour++) await raise(kind, details(3), NOW + hour * 3_600_000 - MINUTE_MS)
  expect(await emails()).toHaveLength(5)
  await raise(kind, details(3), NOW + DAY_MS)
  expect(await emails()).toHaveLength(6)
})

test('a lost dispute is reported in addition to the opened one', async () => {
  await raise('payment-disputed', { payment: 'pay_1', state: 'open' })
  await raise('payment-disputed', { payment: 'pay_1', state: 'lost' })
  expect(await emails()).toHaveLength(2)
})

test('a flood causes twenty emails, then one per 15 minutes that mentions there are more', async () => {
  const dispute = (index: number) => ({ payment: `pay_${index}`, state: 'open' })
  for (let index = 0; index < 100; index++) await raise('payment-disputed', dispute(index))
  expect(await emails()).toHaveLength(21)
  expect((await emails()).filter(({ isOfMany }) => isOfMany)).toHaveLength(1)
  // A repeated alert about the same case sends nothing new.
  await raise('payment-disputed', dispute(7), NOW + QUARTER_MS)
  expect(await emails()).toHaveLength(21)
  await raise('payment-disputed', dispute(100), NOW + QUARTER_MS)
  await raise('payment-disputed', dispute(101), NOW + QUARTER_MS)
  expect(await emails()).toHaveLength(22)
  // Other kinds have their own limit, and so has the next day.
  await raise('double-payment', { checkout: 'checkout_1' })
  await raise('payment-disputed', dispute(102), NOW + DAY_MS)
  expect(await emails()).toHaveLength(24)
  expect((await emails()).filter(({ isOfMany }) => isOfMany)).toHaveLength(2)
})

test('details of an alert may be long', async () => {
  const checkouts = Array.from({ length: 20 }, (_, index) => `${'cs_live_'.repeat(12)}${index}`).join(', ')
  await raise('unknown-payment', { payments: 20, checkouts })
  expect(await emails()).toHaveLength(1)
})
