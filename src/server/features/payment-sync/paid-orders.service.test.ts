import { expect, test } from 'vitest'
import type { PaymentGateway } from '#server/stripe/payment-gateway.ts'
import { createAlerts } from '#server/alerts/alerts.ts'
import { NOW, useTestDatabase } from '#tests/support/use-test-database.ts'
import { reportUnknownPayments } from './paid-orders.service.ts'

const db = useTestDatabase()
const clock = { now: () => NOW, close() {} }
const log = { debug() {}, info() {}, warn() {}, error() {} }

/** Paid checkouts at the provider that are unknown here, as after restoring a backup. */
function paidWithoutUs(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    sessionId: `cs_${index};`,
    checkoutId: `gone_${index}`,
    customerId: null,
    subscriptionId: null,
  }))
}

async function named(): Promise<string[]> {
  const rows = await db().selectFrom('outbox').select('payload').where('kind', '=', 'email.alert').execute()
  return rows.flatMap(({ payload }) => payload.match(/cs_\d+;/g) ?? [])
}

test('each unknown payment is reported to the officers once, across many payments and repeated runs', async () => {
  const gateway = {} as PaymentGateway
  const report = (count: number) =>
    reportUnknownPayments(
      { db: db(), clock, log, gateway, alerts: createAlerts(db(), clock, log) },
      paidWithoutUs(count),
    )
  await report(2)
  await report(45)
  await report(45)
  const names = await named()
  expect(names).toHaveLength(45)
  expect(new Set(names).size).toBe(45)
})
