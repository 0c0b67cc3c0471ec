import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestDatabase } from '#tests/support/test-database.ts'
import { NOW } from '#tests/support/use-test-database.ts'
import type { Database } from '../database.ts'
import { migrate, migrateWithin } from '../migrate.ts'

let database: Database

beforeEach(async () => {
  database = await openTestDatabase()
})
afterEach(() => database.close())

test('work that an older release left behind continues under its new name', async () => {
  const { db, engine } = database
  await db.transaction().execute((tx) => migrateWithin(tx, engine, NOW, '0034-imports-and-search'))
  await sql`insert into outbox (id, kind, payload, created_at, due_at, attempts, lane, priority)
    values ('o', 'letter.membership_notice', '{"noticeId":"n"}', 1, 1, 0, 'letters', 2)`.execute(db)
  await sql`insert into job (name, due_at, last_done_at) values ('membership-notices', 7, 3)`.execute(db)

  await migrate(database, NOW)

  expect(await db.selectFrom('outbox').select(['kind', 'payload', 'lane', 'subject']).execute()).toEqual([
    { kind: 'email.membership_reminder', payload: '{"reminderId":"n"}', lane: 'emails', subject: 'n' },
  ])
  // A row under the old name would be overdue forever in the metrics.
  expect(await db.selectFrom('job').select(['name', 'dueAt']).execute()).toEqual([
    { name: 'membership-reminders', dueAt: 7 },
  ])
})
