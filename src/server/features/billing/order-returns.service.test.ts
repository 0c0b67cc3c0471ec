import { expect, test } from 'vitest'
import type { PaymentGateway } from '#server/payments/payment-gateway.ts'
import { NOW, useTestDatabase } from '#tests/support/use-test-database.ts'
import { createOrderReturns, type OrderReturns } from './order-returns.ts'

const db = useTestDatabase()

test('what was heard of an order before another wrote down what came later is asked again', async () => {
  let kept = { id: 'order', amountRefunded: 0, dispute: null }
  const fallen: string[] = []
  let asked = 0
  const facts = (amountRefunded: number) => ({ amountRefunded, refundedAt: NOW, dispute: null })
  const returns: OrderReturns = createOrderReturns(
    {
      db: db(),
      clock: { now: () => NOW, close() {} },
      gateway: {
        async readPayment() {
          if (asked++ > 0) return facts(5_000)
          // A second refund is made, and heard of first, while this answer is on its way.
          await returns.sync('pi')
          return facts(2_500)
        },
      } as unknown as PaymentGateway,
      alarms: { async raise() {} },
      wakeOutbox() {},
    },
    {
      name: 'payment',
      action: 'sponsorship.returned',
      find: async () => kept,
      update: async (_tx, _id, { amountRefunded }) => void (kept = { ...kept, amountRefunded }),
      fell: async (_tx, id) => void fallen.push(id),
    },
  )
  await returns.sync('pi')
  expect([kept.amountRefunded, fallen, asked]).toEqual([5_000, [], 3])
})
