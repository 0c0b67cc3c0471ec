import { expect, test } from 'vitest'
import type { PaymentGateway } from '#server/payments/payment-gateway.ts'
import { createAlarms } from '#server/platform/alarms.ts'
import { NOW, useTestDatabase } from '#tests/support/use-test-database.ts'
import { reportUnknownPayments } from './paid-orders.ts'

const db = useTestDatabase()
const clock = { now: () => NOW, close() {} }
const log = { debug() {}, info() {}, warn() {}, error() {} }

/** As the provider lists them after the restore of a backup: so many paid, and none is known here. */
function paidWithoutUs(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    sessionId: `cs_${index};`,
    checkoutId: `gone_${index}`,
    customerId: null,
    subscriptionId: null,
  }))
}

async function named(): Promise<string[]> {
  const rows = await db().selectFrom('outbox').select('payload').where('kind', '=', 'letter.alarm').execute()
  return rows.flatMap(({ payload }) => payload.match(/cs_\d+;/g) ?? [])
}

test('whoever paid and is not known is named to the officers once, however many there are and however often it is looked', async () => {
  const gateway = {} as PaymentGateway
  const report = (count: number) =>
    reportUnknownPayments(
      { db: db(), clock, log, gateway, alarms: createAlarms(db(), clock, log) },
      paidWithoutUs(count),
    )
  await report(2)
  await report(45)
  await report(45)
  const names = await named()
  expect(names).toHaveLength(45)
  expect(new Set(names).size).toBe(45)
})
