import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestDatabase } from '#tests/support/test-database.ts'
import { NOW } from '#tests/support/use-test-database.ts'
import { EMAILS } from '#server/composition/effects.ts'
import { listEmailsAbout } from '#server/jobs/outbox-records.repository.ts'
import type { Database } from '../database.ts'
import { migrate, migrateWithin } from '../migrate.ts'

/** Added after the migration under test. */
const NEWER = [
  'email.renewal_link',
  'email.guest_message',
  'email.statement',
  'email.order_receipt',
  'email.order_receipt_canceled',
  'email.sponsor_refund',
  'email.wording_test',
]

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
  const kinds = [...EMAILS.map(({ kind }) => kind), 'email.of_another_release', 'stripe.payment']
  for (const kind of kinds)
    await sql`insert into outbox (id, kind, payload, created_at, due_at, attempts, lane, priority)
      values (${kind}, ${kind}, ${JSON.stringify(payload)}, 1, 1, 0, 'emails', 1)`.execute(db)

  await migrate(database, NOW)

  const rows = await db.selectFrom('outbox').select(['kind', 'subject', 'recipient']).execute()
  for (const { kind, subject, recipient } of rows) {
    // Emails that are newer than that release were not queued by it.
    if (NEWER.includes(kind)) continue
    const people = EMAILS.find((email) => email.kind === kind)?.people(payload as never)
    expect([kind, { subject, recipient }]).toEqual([kind, people ?? { subject: null, recipient: null }])
  }
  const toOfficers = await listEmailsAbout(db, ['the "officerId"'])
  expect(toOfficers.map(({ kind }) => kind).sort()).toEqual(['email.email_change_stopped', 'email.ending_failed'])
})
