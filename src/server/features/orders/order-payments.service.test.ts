import { expect, test } from 'vitest'
import type { PaymentGateway } from '#server/stripe/payment-gateway.ts'
import { NOW, useTestDatabase } from '#tests/support/use-test-database.ts'
import type { OrderPayments } from './order-kind.registry.ts'
import { createPaymentSync } from './order-payments.service.ts'

const db = useTestDatabase()

test('a stale read that conflicts with a newer stored state is retried', async () => {
  let stored = { id: 'order', amount: 10_000, currency: 'usd', amountRefunded: 0, dispute: null }
  const updates: number[] = []
  let reads = 0
  const state = (amountRefunded: number) => ({ amountRefunded, refundedAt: NOW, dispute: null })
  const payments: OrderPayments = {
    kind: 'seats',
    intentOf: async () => 'pi',
    find: async () => stored,
    listDisputed: async () => [],
    async update(_tx, _payment, { amountRefunded }) {
      updates.push(amountRefunded)
      stored = { ...stored, amountRefunded }
    },
  }
  const sync = createPaymentSync(
    {
      db: db(),
      clock: { now: () => NOW, close() {} },
      gateway: {
        async readPayment() {
          if (reads++ > 0) return state(5_000)
          // A second refund is made and synced while this response is in flight.
          await sync('pi')
          return state(2_500)
        },
      } as unknown as PaymentGateway,
      wakeOutbox() {},
    },
    { findPayment: async () => ({ payments, payment: stored }) },
  ).sync
  await sync('pi')
  expect([stored.amountRefunded, updates, reads]).toEqual([5_000, [5_000], 3])
})
