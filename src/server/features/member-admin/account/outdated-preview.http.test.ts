import { partialContext } from '#tests/support/partial-context.ts'
import { expect, test } from 'vitest'
import type { PaymentSnapshot, PaymentGateway } from '#server/stripe/payment-gateway.ts'
import { membershipLife } from '#tests/support/membership-life.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'
import { createMembershipPayments } from '#server/features/memberships/payments/payment-refunds.service.ts'
import { createPaymentSync } from '#server/features/orders/order-payments.service.ts'

const app = useTestApp()
const { join, rowsOf } = membershipLife(app)

test('a stale response about a payment is fetched again after a concurrent update', async () => {
  const member = await join()
  const { paymentIntentId: intent } = (await rowsOf(member)).payments[0] ?? {}
  const snapshot = (amountRefunded: number): PaymentSnapshot => ({
    paymentIntentId: intent ?? '',
    amount: 10_000,
    amountRefunded,
    refundedAt: app().now(),
    dispute: null,
  })
  const calls: string[] = []
  const record = (what: string) => async () => void calls.push(what)
  let asked = 0
  const ctx = partialContext({
    db: app().database.db,
    clock: { now: app().now, close() {} },
    gateway: {
      async readPayment() {
        if (asked++ > 0) return snapshot(5_000)
        // A second refund is made and processed first, while this response is in flight.
        await sync(intent ?? '')
        return snapshot(2_500)
      },
    } as unknown as PaymentGateway,
    alerts: { raise: record('alarm') },
    wakeOutbox() {},
  })
  const payments = createMembershipPayments(ctx, { reminders: { queue: record('email') } as never })
  const { sync } = createPaymentSync(ctx, {
    async findPayment(db, id) {
      const payment = await payments.find(db, id)
      return payment && { payments, payment }
    },
  })
  await sync(intent ?? '')
  expect((await rowsOf(member)).payments[0]).toMatchObject({ amountRefunded: 5_000 })
  expect([asked, calls]).toEqual([3, ['email']])
})
