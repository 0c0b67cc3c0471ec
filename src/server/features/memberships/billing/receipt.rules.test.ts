import { expect, test } from 'vitest'
import { SAMPLE_LEVEL, SAMPLE_TIME, SAMPLE_TIME_ZONE } from '#server/emails/sample-values.ts'
import { receiptLines } from './receipt.rules.ts'

function linesOf(given: Partial<Parameters<typeof receiptLines>[0]> = {}, credit = 0): string[] {
  const payment = {
    receiptNumber: 'R-2026-ABC',
    reference: 'in_1',
    purpose: 'start' as const,
    paidAt: SAMPLE_TIME,
    amount: 10_000,
    currency: 'usd',
    amountRefunded: 0,
    dispute: null,
    voidedAt: null,
    periodEndsAt: null,
    discount: 0,
    couponCode: null,
    ...given,
  }
  const lines = receiptLines(payment, { name: 'Anagha Rao', level: SAMPLE_LEVEL, credit, timeZone: SAMPLE_TIME_ZONE })
  return lines.map(([label, value]) => `${label}: ${value}`)
}

test('a receipt has number, payer, level, amount with currency, and the day in Georgia, not in UTC', () => {
  for (const line of ['Receipt: R-2026-ABC', 'Received from: Anagha Rao', 'Amount: $100 USD'])
    expect(linesOf()).toContain(line)
  expect(linesOf({ paidAt: Date.UTC(2027, 0, 1, 3) })).toContain('Paid on: December 31, 2026')
})

test('a receipt shows the credit for the replaced membership and the refund', () => {
  const lifetime = linesOf({ amount: 92_767 }, 7_233)
  expect(lifetime).toContain('Price: $1,000')
  expect(lifetime).toContain('Credit for the membership it replaces: -$72.33')
  expect(lifetime).toContain('Amount: $927.67 USD')
  expect(linesOf({ amountRefunded: 2_500 })).toContain('Returned: $25')
})
