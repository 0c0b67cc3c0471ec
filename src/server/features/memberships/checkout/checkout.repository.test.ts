import { describe, expect, test } from 'vitest'
import { NOW, useTestDatabase } from '#tests/support/use-test-database.ts'
import { checkouts, findCheckout, findOpenCheckout } from './checkout.commands.ts'
import { markTokenIssued, reserveCheckout, type NewCheckout } from './checkout.repository.ts'
import { recordPayment } from '../payments/payment.commands.ts'
import { createAccount } from '#server/features/accounts/account.commands.ts'

const db = useTestDatabase()

function order(id: string, personId = 'person', leasedUntil = NOW + 100): NewCheckout {
  return {
    id,
    personId,
    levelKey: 'annual_member',
    amount: 10_000,
    credit: 0,
    currency: 'usd',
    mode: 'subscription',
    leasedUntil,
    nonceHash: 'x',
    createdAt: NOW,
    expiresAt: NOW + 1_000,
    allowsCodes: false,
  }
}

/** Creates a checkout with an open session. */
async function open(id: string, personId?: string): Promise<void> {
  await reserveCheckout(db(), order(id, personId))
  await checkouts.markOpen(db(), id, { stripeSessionId: `cs_${id}`, url: 'https://pay.example', now: NOW })
}

describe('one checkout a person (docs/product-rules.md#open-checkouts-are-reused)', () => {
  test('of thirty concurrent reservations one succeeds', async () => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => reserveCheckout(db(), order(`c${index}`))),
    )
    expect(answers.filter(Boolean)).toHaveLength(1)
    expect(await db().selectFrom('checkout').select('id').execute()).toHaveLength(1)
  })

  test('different people do not conflict', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => reserveCheckout(db(), order(`c${index}`, `p${index}`))),
    )
    expect(answers.every(Boolean)).toBe(true)
  })

  test.each(['expired', 'failed'] as const)('an %s checkout allows a new one', async (state) => {
    await open('c1')
    expect(await reserveCheckout(db(), order('c2'))).toBe(false)
    await checkouts.close(db(), 'c1', state)
    expect(await findOpenCheckout(db(), 'person')).toBeNull()
    expect(await reserveCheckout(db(), order('c2'))).toBe(true)
  })

  test('one caller can lease an unfinished creation after its lease expires', async () => {
    await reserveCheckout(db(), order('c1'))
    const lease = (now: number) => checkouts.lease(db(), 'c1', { now, until: now + 100 })
    expect(await lease(NOW + 99)).toBe(false)
    const answers = await Promise.all(Array.from({ length: 20 }, () => lease(NOW + 100)))
    expect(answers.filter(Boolean)).toHaveLength(1)
    await checkouts.release(db(), 'c1', { newAttempt: true })
    expect(await findCheckout(db(), 'c1')).toMatchObject({ attempt: 1, leasedUntil: null })
    await checkouts.release(db(), 'c1', { newAttempt: false })
    expect(await findCheckout(db(), 'c1')).toMatchObject({ attempt: 1 })
  })

  test('an open checkout cannot be leased or opened again', async () => {
    await open('c1')
    expect(await checkouts.lease(db(), 'c1', { now: NOW + 900, until: NOW + 999 })).toBe(false)
    await checkouts.markOpen(db(), 'c1', { stripeSessionId: 'cs_other', url: null, now: NOW })
    expect(await findCheckout(db(), 'c1')).toMatchObject({ stripeSessionId: 'cs_c1' })
  })
})

describe('completing a checkout', () => {
  const completion = { stripeSessionId: 'cs_c1', paidAt: NOW, now: NOW }

  test('of thirty concurrent calls one completes it', async () => {
    await open('c1')
    const answers = await Promise.all(
      Array.from({ length: 30 }, () =>
        db()
          .transaction()
          .execute((tx) => checkouts.markPaid(tx, 'c1', completion)),
      ),
    )
    expect(answers.filter(Boolean)).toHaveLength(1)
  })

  test('an expired checkout that was paid at the provider is still completed', async () => {
    await open('c1')
    await checkouts.close(db(), 'c1', 'expired')
    expect(await checkouts.markPaid(db(), 'c1', completion)).toBe(true)
  })

  test('a completed checkout cannot be closed', async () => {
    await open('c1')
    await checkouts.markPaid(db(), 'c1', completion)
    await checkouts.close(db(), 'c1', 'expired')
    expect(await findCheckout(db(), 'c1')).toMatchObject({ state: 'completed', paidAt: NOW })
  })

  test('the token is issued to one of thirty concurrent calls', async () => {
    await open('c1')
    const answers = await Promise.all(Array.from({ length: 30 }, () => markTokenIssued(db(), 'c1', NOW)))
    expect(answers.filter(Boolean)).toHaveLength(1)
  })

  test('a payment is recorded once by its reference', async () => {
    await createAccount(
      db(),
      {
        id: 'a',
        username: 'ana',
        email: 'a@b.example',
        passwordHash: 'x',
        firstName: 'A',
        lastName: 'B',
        createdAt: NOW,
      },
      NOW,
    )
    const payment = (id: string) => ({
      id,
      accountId: 'a',
      checkoutId: null,
      reference: 'in_1',
      paymentIntentId: null,
      purpose: 'start' as const,
      periodEndsAt: null,
      levelKey: 'x',
      amount: 1,
      currency: 'usd',
      receiptNumber: id,
      paidAt: NOW,
    })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => recordPayment(db(), payment(`p${index}`), NOW)),
    )
    expect(answers.filter(Boolean)).toHaveLength(1)
  })
})

test('the reconciler gets the least recently checked checkouts first', async () => {
  for (const [id, checkedAt] of [
    ['c1', 30],
    ['c2', 10],
    ['c3', 20],
    ['c4', 90],
  ] as const) {
    await open(id, id)
    await db()
      .updateTable('checkout')
      .set({ checkedAt: NOW + checkedAt })
      .where('id', '=', id)
      .execute()
  }
  await checkouts.close(db(), 'c3', 'expired')
  expect((await checkouts.listPending(db(), NOW + 90, 10)).map(({ id }) => id)).toEqual(['c2', 'c1'])
  expect(await checkouts.listPending(db(), NOW + 999, 1)).toHaveLength(1)
})
