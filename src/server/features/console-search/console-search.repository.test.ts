import { beforeEach, expect, test } from 'vitest'
import { createAccount } from '#server/features/accounts/account.commands.ts'
import { useTestDatabase } from '#tests/support/use-test-database.ts'
import { findPayments } from './console-search.repository.ts'

const now = Date.UTC(2026, 10, 1)
const database = useTestDatabase()

/** More payers and receipts than are looked up one by one. */
const MANY = 120

beforeEach(async () => {
  const db = database()
  const person = { passwordHash: '', createdAt: now, firstName: 'Leela' }
  for (let number = 0; number < MANY; number++) {
    const id = `p${number}`
    const lastName = number === 7 ? 'Okonkwo' : 'Menon'
    await createAccount(db, { ...person, id, username: id, email: `${id}@example.net`, lastName }, now)
  }
  const payment = {
    levelKey: 'annual_member',
    amount: 100,
    currency: 'usd',
    recordedAt: now,
    purpose: 'renewal' as const,
  }
  const untouched = { amountRefunded: 0, discount: 0, refundAsked: 0 }
  await db
    .insertInto('payment')
    .values(
      Array.from({ length: MANY }, (_, number) => ({
        ...payment,
        ...untouched,
        id: `payment-${number}`,
        accountId: `p${number}`,
        reference: `in_${number}`,
        receiptNumber: `R-2026-${String(number).padStart(4, '0')}XYZ`,
        paidAt: now + number,
      })),
    )
    .execute()
})

const receipts = async (text: string) => (await findPayments(database(), text, 3)).map((one) => one.receiptNumber)

test('payments are found by a payer, the newest first, also where many have the name', async () => {
  expect(await receipts('okonk')).toEqual(['R-2026-0007XYZ'])
  expect(await receipts('menon')).toEqual(['R-2026-0119XYZ', 'R-2026-0118XYZ', 'R-2026-0117XYZ'])
  expect(await receipts('P119@example')).toEqual(['R-2026-0119XYZ'])
})

test('payments are found by a part of the receipt, each once', async () => {
  expect(await receipts('0042x')).toEqual(['R-2026-0042XYZ'])
  expect(await receipts('r-2026')).toEqual(['R-2026-0119XYZ', 'R-2026-0118XYZ', 'R-2026-0117XYZ'])
  expect(await receipts('11')).toEqual(['R-2026-0119XYZ', 'R-2026-0118XYZ', 'R-2026-0117XYZ'])
  expect(await receipts('%')).toEqual([])
})
