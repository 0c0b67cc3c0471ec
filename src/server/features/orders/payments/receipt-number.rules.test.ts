import { expect, test } from 'vitest'
import { newId } from '#server/lib/ids.ts'
import { mayBeInReceiptNumber, receiptNumber } from './receipt-number.rules.ts'

const now = Date.UTC(2026, 10, 29)

test('every receipt number is recognized as one, in any case', () => {
  for (let turn = 0; turn < 500; turn++) {
    const number = receiptNumber(newId(now), now, () => '2026')
    expect(mayBeInReceiptNumber(number) && mayBeInReceiptNumber(number.toLowerCase())).toBe(true)
  }
})

test.each(['iyer', 'Sharma', 'Menon', 'Patel', 'a b', 'p@example.net', '%', ''])('%j is in none', (text) => {
  expect(mayBeInReceiptNumber(text)).toBe(false)
})
