import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { moneyInvariants } from '#server/monitoring/invariants/money.ts'
import { createSecrets } from '#server/lib/secrets.ts'
import { openTestDatabase } from '#tests/support/test-database.ts'
import { migrate, migrateWithin } from '../migrate.ts'

const NOW = Date.UTC(2026, 10, 26)
let database: Database

beforeEach(async () => {
  database = await openTestDatabase()
  const { db, engine } = database
  await db.transaction().execute((tx) => migrateWithin(tx, engine, NOW, '0037-content-records'))
})
afterEach(() => database.close())

/** A payment of dues as the release before stored it. */
function dues(id: string, columns: Record<string, string | number>) {
  const row = {
    id,
    account_id: 'a',
    reference: `pi_${id}`,
    level_key: 'annual_member',
    amount: 10_000,
    currency: 'usd',
    receipt_number: id,
    paid_at: 1_000,
    recorded_at: 2_000,
    purpose: 'start',
    amount_refunded: 0,
    ...columns,
  }
  const names = Object.keys(row).map((name) => sql.ref(name))
  const values = Object.values(row).map((value) => sql`${value}`)
  return sql`insert into payment (${sql.join(names)}) values (${sql.join(values)})`.execute(database.db)
}

test('payments of earlier releases get their entries, and their refunds move to one table', async () => {
  const { db } = database
  await sql`insert into account (id, username, email, email_key, password_hash, first_name, last_name, created_at, updated_at, is_officer, token_version)
    values ('a', 'a', 'a@b.example', 'a@b.example', 'x', 'A', 'B', 1, 1, 0, 1)`.execute(db)
  await dues('plain', {})
  await dues('refunded', { amount_refunded: 2_500, refunded_at: 5_000 })
  await dues('lost', { dispute_state: 'lost' })
  await dues('voided', { reference: 'voided:voided:by-hand:a:cheque:7', voided_at: 9_000 })
  await dues('corrected', { reference: 'by-hand:a:cash:gala', replaces_id: 'voided' })
  await sql`insert into rsvp_order (id, event_id, title, name, email, email_key, guests, meals, seats, own_price, guest_price, lines, amount, currency, state,
    attempt, nonce_hash, created_at, expires_at, checked_at, paid_at, payment_reference, receipt_number, is_seated, amount_refunded, refunded_at)
    values ('o', 'e', 'Gala', 'A', 'a@b.example', 'a@b.example', 0, '[]', 0, 5000, 5000, '[]', 5000, 'usd', 'paid', 0, 'x', 1, 1, 1, 3000, 'pi_o', 'R-o', 1, 1000, 4000)`.execute(
    db,
  )
  await sql`insert into rsvp_refund (id, order_id, amount, reason, asked_by, asked_at, done_at) values ('r', 'o', 1000, 'officer', 'a', 3500, 4000)`.execute(
    db,
  )
  await migrate(database, NOW)
  const entries = await db.selectFrom('ledgerEntry').selectAll().orderBy('id').execute()
  expect(entries.map(({ id, type, amount, at, method }) => [id, type, amount, at, method]).toSorted()).toEqual([
    ['corrected:paid', 'payment', 10_000, 2_000, 'cash'],
    ['lost:lost', 'dispute', -10_000, 1_000, 'card'],
    ['lost:paid', 'payment', 10_000, 1_000, 'card'],
    ['o:paid', 'payment', 5_000, 3_000, 'card'],
    ['o:refunded', 'refund', -1_000, 4_000, 'card'],
    ['plain:paid', 'payment', 10_000, 1_000, 'card'],
    ['refunded:paid', 'payment', 10_000, 1_000, 'card'],
    ['refunded:refunded', 'refund', -2_500, 5_000, 'card'],
    ['voided:paid', 'payment', 10_000, 1_000, 'cheque'],
    ['voided:voided', 'canceled', -10_000, 9_000, 'cheque'],
  ])
  expect(await db.selectFrom('refund').selectAll().execute()).toMatchObject([
    { id: 'r', kind: 'seats', paymentId: 'o', method: 'card', doneAt: 4_000, refusedAt: null },
  ])
  const ledger = moneyInvariants.find(({ name }) => name === 'ledger-is-what-is-kept')
  expect(await ledger?.findViolations({ db, now: NOW, secrets: createSecrets('x'), mediaDirectory: null })).toEqual([])
})
