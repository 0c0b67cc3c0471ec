import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestDatabase } from '#tests/support/test-database.ts'
import { NOW } from '#tests/support/use-test-database.ts'
import type { Database } from './database.ts'
import { migrate, migrateWithin } from './migrate.ts'

let database: Database

beforeEach(async () => {
  database = await openTestDatabase()
})
afterEach(() => database.close())
test('plain names: tables, columns and queued effects are renamed, and an older merge can still be undone', async () => {
  const { db, engine } = database
  await db.transaction().execute((tx) => migrateWithin(tx, engine, NOW, '0034-imports-and-search'))
  for (const [id, kind] of [
    ['1', 'letter.receipt'],
    ['2', 'letter.membership_notice'],
    ['3', 'payment.give_back'],
    ['4', 'stripe.payment'],
  ])
    await sql`insert into outbox (id, kind, payload, created_at, due_at, attempts, lane, priority)
      values (${id}, ${kind}, '{}', 1, 1, 0, ${kind?.startsWith('letter.') ? 'letters' : 'rest'}, 1)`.execute(db)
  const changes = (table: string) =>
    JSON.stringify([{ table, key: { column: 'id', value: 'n1' }, before: {}, after: {} }])
  await sql`insert into account_merge (id, kept_id, merged_id, officer_id, reason, merged_at, changes)
    values ('g1', 'a', 'b', 'c', 'Twice', 1, ${changes('membership_notice')})`.execute(db)
  await sql`insert into audit (id, at, actor, action, subject_id, details)
    values ('a1', 1, 'webmaster', 'letter.sent_again', 'a', '{}')`.execute(db)

  await migrate(database, NOW)

  const effects = await db.selectFrom('outbox').select(['kind', 'lane']).orderBy('id').execute()
  expect(effects).toEqual([
    { kind: 'email.receipt', lane: 'emails' },
    { kind: 'email.membership_reminder', lane: 'emails' },
    { kind: 'payment.refund', lane: 'rest' },
    { kind: 'stripe.payment', lane: 'rest' },
  ])
  const merge = await db.selectFrom('account_merge').select('changes').executeTakeFirstOrThrow()
  expect(merge.changes).toBe(changes('membership_reminder'))
  const entry = await db.selectFrom('audit').select('action').executeTakeFirstOrThrow()
  expect(entry.action).toBe('email.sent_again')
  for (const table of ['membership_reminder', 'rsvp_settings'] as const)
    expect(await db.selectFrom(table).selectAll().execute()).toEqual([])
})
