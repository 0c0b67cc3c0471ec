import { expect, test } from 'vitest'
import { createAccount } from '#server/features/accounts/account.commands.ts'
import { METHOD_LABELS } from '#server/features/orders/payments/manual-payment.rules.ts'
import { openEvent } from '#tests/support/events.ts'
import { paidSeats, PRICE } from '#tests/support/paid-seats.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'
import { listLines, sumLines, type LineFilter, type LineRow } from './payment-lines.repository.ts'

const app = useTestApp({ samples: true, environment: { RATE_LIMITS: 'x100' } })
const { payFor } = paidSeats(app)
const always = { from: 0, to: Number.MAX_SAFE_INTEGER }

const find = (filter: Partial<LineFilter>) =>
  listLines(app().database.db, { ...always, ...filter }, { sort: 'day', order: 'desc', limit: 1_000 })

/** What a line is searched by, as a reader sees it. */
function textOf({ name, email, receiptNumber, reference, what, method }: LineRow): string {
  return [name, email, receiptNumber, reference, what, METHOD_LABELS[method]].join(' ').toLowerCase()
}

test('a search finds the lines that have each word, of every kind of payment', async () => {
  await payFor(await openEvent(app(), PRICE), 'seats@example.com')
  await app().drain()
  const all = await find({})
  expect(new Set(all.map(({ kind }) => kind))).toEqual(new Set(['dues', 'seats', 'sponsorship']))
  const words = all.flatMap(({ name, email, receiptNumber, what }) => [
    ...name.split(/[\s,]+/).map((word) => word.slice(0, 4)),
    email.split('@')[0] ?? '',
    receiptNumber.slice(-8),
    ...what.split(/[\s,]+/),
  ])
  const sample = [...new Set(words.map((word) => word.toLowerCase()))].filter((word) => word.length > 2).slice(0, 60)
  for (const word of [...sample, 'check', 'zelle', 'nowhere', '%', '_']) {
    const expected = all.filter((line) => textOf(line).includes(word)).map(({ id }) => id)
    expect([word, (await find({ q: word })).map(({ id }) => id)]).toEqual([word, expected])
  }
})

test('two words may be in different parts; their lines are summed', async () => {
  const [line] = (await find({ type: 'payment' })).filter(({ kind }) => kind === 'dues')
  const q = `${line?.receiptNumber}, ${line?.name.split(',')[0]}`
  expect((await find({ q })).map(({ id }) => id)).toContain(line?.id)
  expect(await sumLines(app().database.db, { ...always, q })).toMatchObject([{ kind: 'dues', payments: 1 }])
  expect(await find({ q: `${line?.receiptNumber} nowhere` })).toEqual([])
})

test('a name is found without its accents', async () => {
  const { db } = app().database
  const [line] = (await find({ type: 'payment' })).filter(({ kind }) => kind === 'dues')
  const payment = { id: line?.paymentId ?? '' }
  const person = { id: 'leela', username: 'leela', email: 'leela@example.net', passwordHash: '' }
  await createAccount(db, { ...person, firstName: 'Ngözi', lastName: 'Okönkwo', createdAt: 0 }, 0)
  await db.updateTable('payment').set({ accountId: person.id }).where('id', '=', payment.id).execute()
  expect((await find({ q: 'okonkwo' })).map(({ paymentId }) => paymentId)).toEqual([payment.id])
})

test('lines by name are the same whether they are sorted or read in the order of names', async () => {
  const { db } = app().database
  const byName = (page: { order: 'asc' | 'desc'; offset: number; limit: number; matching: number }, filter = {}) =>
    listLines(db, { ...always, ...filter }, { sort: 'name', ...page })
  for (const order of ['asc', 'desc'] as const)
    for (const filter of [{}, { kind: 'dues' as const }, { kind: 'seats' as const }, { q: 'annual' }, { most: 20_000 }])
      for (const [offset, limit] of [
        [0, 5],
        [1, 10],
        [0, 1_000],
      ] as const) {
        const sorted = await byName({ order, offset, limit, matching: 0 }, filter)
        if (offset === 0) expect([filter, sorted.length]).not.toEqual([filter, 0])
        expect(await byName({ order, offset, limit, matching: 1_000_000 }, filter)).toEqual(sorted)
      }
})
