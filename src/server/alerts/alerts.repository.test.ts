import { expect, test } from 'vitest'
import { NOW, useTestDatabase } from '#tests/support/use-test-database.ts'
import { createAlarms, type AlarmKind } from './alarms.ts'

const db = useTestDatabase()
const MINUTE_MS = 60_000
const QUARTER_MS = 15 * MINUTE_MS
const DAY_MS = 86_400_000
const quiet = { debug() {}, info() {}, warn() {}, error() {} }

type Details = Record<string, string | number>

async function raise(kind: AlarmKind, details: Details, at = NOW): Promise<void> {
  await createAlarms(db(), { now: () => at, close() {} }, quiet).raise(kind, details)
}

async function letters(): Promise<{ details: Details; isOfMany: boolean }[]> {
  const rows = await db()
    .selectFrom('outbox')
    .select('payload')
    .where('kind', '=', 'letter.alarm')
    .orderBy('id')
    .execute()
  return rows.map(({ payload }) => JSON.parse(payload) as { details: Details; isOfMany: boolean })
}

test('the officers hear once a quarter of an hour of what rings again and again', async () => {
  for (let call = 0; call < 5; call++) await raise('bot-check-unavailable', { action: `${call}` })
  expect(await letters()).toHaveLength(1)
  await raise('bot-check-unavailable', { action: '5' }, NOW + QUARTER_MS)
  expect(await letters()).toHaveLength(2)
})

test.each<[AlarmKind, (index: number) => Details]>([
  ['payment-disputed', (index) => ({ payment: `pay_${index}`, state: 'open' })],
  ['double-payment', (index) => ({ checkout: `checkout_${index}` })],
  ['payment-mismatch', (index) => ({ checkout: `checkout_${index}`, ordered: 10_000, paid: 1 })],
  ['stray-subscription', (index) => ({ subscription: `sub_${index}` })],
  ['unknown-payment', (index) => ({ payments: 1, checkouts: `cs_${index} (no customer)` })],
])('five of %s in ten minutes are five letters, each once a day however often it rings', async (kind, details) => {
  for (let index = 0; index < 5; index++) await raise(kind, details(index), NOW + index * 2 * MINUTE_MS)
  const told = (await letters()).map((letter) => letter.details)
  expect(told).toEqual([0, 1, 2, 3, 4].map(details))
  for (let hour = 1; hour < 12; hour++) await raise(kind, details(3), NOW + hour * 3_600_000 - MINUTE_MS)
  expect(await letters()).toHaveLength(5)
  await raise(kind, details(3), NOW + DAY_MS)
  expect(await letters()).toHaveLength(6)
})

test('a dispute that is lost is told besides the one that was opened', async () => {
  await raise('payment-disputed', { payment: 'pay_1', state: 'open' })
  await raise('payment-disputed', { payment: 'pay_1', state: 'lost' })
  expect(await letters()).toHaveLength(2)
})

test('a flood makes twenty letters, then one a quarter of an hour that says there are more', async () => {
  const dispute = (index: number) => ({ payment: `pay_${index}`, state: 'open' })
  for (let index = 0; index < 100; index++) await raise('payment-disputed', dispute(index))
  expect(await letters()).toHaveLength(21)
  expect((await letters()).filter(({ isOfMany }) => isOfMany)).toHaveLength(1)
  // One that was told rings again: nothing new.
  await raise('payment-disputed', dispute(7), NOW + QUARTER_MS)
  expect(await letters()).toHaveLength(21)
  await raise('payment-disputed', dispute(100), NOW + QUARTER_MS)
  await raise('payment-disputed', dispute(101), NOW + QUARTER_MS)
  expect(await letters()).toHaveLength(22)
  // Other kinds have a number of their own, and so has the next day.
  await raise('double-payment', { checkout: 'checkout_1' })
  await raise('payment-disputed', dispute(102), NOW + DAY_MS)
  expect(await letters()).toHaveLength(24)
  expect((await letters()).filter(({ isOfMany }) => isOfMany)).toHaveLength(2)
})

test('what a letter names may be long', async () => {
  const checkouts = Array.from({ length: 20 }, (_, index) => `${'cs_live_'.repeat(12)}${index}`).join(', ')
  await raise('unknown-payment', { payments: 20, checkouts })
  expect(await letters()).toHaveLength(1)
})
