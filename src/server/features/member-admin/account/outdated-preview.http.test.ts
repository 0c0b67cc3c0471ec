import { expect, test } from 'vitest'
import type { PaymentFacts, PaymentGateway } from '#server/payments/payment-gateway.ts'
import { membershipLife } from '#tests/support/membership-life.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'
import { createPaymentReturnService } from './payment-return.service.ts'

const app = useTestApp()
const { join, rowsOf } = membershipLife(app)

test('what was heard of a payment before another wrote down what came later is asked again', async () => {
  const member = await join()
  const { payment_intent_id: intent } = (await rowsOf(member)).payments[0] ?? {}
  const facts = (amountRefunded: number): PaymentFacts => ({
    paymentIntentId: intent ?? '',
    amount: 10_000,
    amountRefunded,
    refundedAt: app().now(),
    dispute: null,
  })
  const told: string[] = []
  const note = (what: string) => async () => void told.push(what)
  let asked = 0
  const returns = createPaymentReturnService({
    db: app().database.db,
    clock: { now: app().now, close() {} },
    gateway: {
      async readPayment() {
        if (asked++ > 0) return facts(5_000)
        // A second refund is made, and heard of first, while this answer is on its way.
        await returns.sync(intent ?? '')
        return facts(2_500)
      },
    } as unknown as PaymentGateway,
    alarms: { raise: note('alarm') },
    notices: { tell: note('letter') } as never,
    wakeOutbox() {},
  })
  await returns.sync(intent ?? '')
  expect((await rowsOf(member)).payments[0]).toMatchObject({ amount_refunded: 5_000 })
  expect([asked, told]).toEqual([3, ['letter']])
})
