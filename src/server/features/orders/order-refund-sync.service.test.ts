import { expect, test } from 'vitest'
import type { PaymentGateway } from '#server/stripe/payment-gateway.ts'
import { NOW, useTestDatabase } from '#tests/support/use-test-database.ts'
import { createRefundSync, type RefundSync } from './order-refund-sync.service.ts'

const db = useTestDatabase()

test('a stale read that conflicts with a newer stored state is retried', async () => {
  let stored = { id: 'order', amountRefunded: 0, dispute: null }
  const reversed: string[] = []
  let reads = 0
  const payment = (amountRefunded: number) => ({ amountRefunded, refundedAt: NOW, dispute: null })
  const refundSync: RefundSync = createRefundSync(
    {
      db: db(),
      clock: { now: () => NOW, close() {} },
      gateway: {
        async readPayment() {
          if (reads++ > 0) return payment(5_000)
          // A second refund is made and synced while this response is in flight.
          await refundSync.sync('pi')
          return payment(2_500)
        },
      } as unknown as PaymentGateway,
      alerts: { async raise() {} },
      wakeOutbox() {},
    },
    {
      name: 'payment',
      action: 'sponsorship.returned',
      find: async () => stored,
      update: async (_tx, _id, { amountRefunded }) => void (stored = { ...stored, amountRefunded }),
      onRefundReversed: async (_tx, id) => void reversed.push(id),
    },
  )
  await refundSync.sync('pi')
  expect([stored.amountRefunded, reversed, reads]).toEqual([5_000, [], 3])
})
