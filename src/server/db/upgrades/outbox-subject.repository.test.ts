import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestDatabase } from '#tests/support/test-database.ts'
import { NOW } from '#tests/support/use-test-database.ts'
import { EMAILS } from '#server/composition/effects.ts'
import { listEmailsAbout } from '#server/jobs/outbox-records.repository.ts'
import type { Database } from '../database.ts'
import { migrate, migrateWithin } from '../migrate.ts'
import { SUBJECTS } from '../migrations/0036-outbox-subject.ts'

/** The emails about a person that the older release could queue. */
const OLDER = new Set(Object.values(SUBJECTS).flatMap((names) => names.map((name) => `email.${name}`)))

let database: Database

beforeEach(async () => {
  database = await openTestDatabase()
})
afterEach(() => database.close())

test('emails queued by an older release are found by the person they are about', async () => {
  const { db, engine } = database
  await db.transaction().execute((tx) => migrateWithin(tx, engine, NOW, '0035-plain-names'))
  const fields = ['accountId', 'tokenId', 'email', 'id', 'paymentId', 'reminderId', 'rsvpId', 'subscriberId']
  const payload = Object.fromEntries(
    [...fields, 'formerEmail', 'officerId', 'to'].map((field) => [field, `the "${field}"`]),
  )
  const older = EMAILS.filter(({ kind }) => OLDER.has(kind))
  const kinds = [...older.map(({ kind }) => kind), 'email.of_another_release', 'stripe.payment']
  for (const kind of kinds)
    await sql`insert into outbox (id, kind, payload, created_at, due_at, attempts, lane, priority)
      values (${kind}, ${kind}, ${JSON.stringify(payload)}, 1, 1, 0, 'emails', 1)`.execute(db)

  await migrate(database, NOW)

  const rows = await db.selectFrom('outbox').select(['kind', 'subject', 'recipient']).execute()
  for (const { kind, subject, recipient } of rows) {
    const people = older.find((email) => email.kind === kind)?.people(payload as never)
    expect([kind, { subject, recipient }]).toEqual([kind, people ?? { subject: null, recipient: null }])
  }
  const toOfficers = await listEmailsAbout(db, ['the "officerId"'])
  expect(toOfficers.map(({ kind }) => kind).sort()).toEqual(['email.email_change_stopped', 'email.ending_failed'])
})
