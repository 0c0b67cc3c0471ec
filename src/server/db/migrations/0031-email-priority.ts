import { sql, type Kysely } from 'kysely'

/** The most urgent kinds at the time of this migration; effects queued later carry their own priority. */
const SECURITY = [
  'letter.verification',
  'letter.already_registered',
  'letter.password_reset',
  'letter.password_changed',
  'letter.email_change',
  'letter.email_changed',
  'letter.factor_changed',
  'letter.role_given',
  'letter.account_deleted',
  'letter.deletion_failed',
  'letter.alarm',
  'auth.forgot_password',
  'auth.resend_verification',
]
const REMINDERS = ['letter.membership_notice', 'letter.credentials_question']
const BULK = ['letter.invitation', 'members.import', 'payment.move_price']

/**
 * Effects run by priority, and record which process leased them, so that a starting process can free the leases of its predecessor. Links expire relative to
 * when their email was sent.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const outbox = () => db.schema.alterTable('outbox')
  await outbox()
    .addColumn('lane', 'text', (column) => column.notNull().defaultTo('rest'))
    .execute()
  await outbox()
    .addColumn('priority', 'integer', (column) => column.notNull().defaultTo(1))
    .execute()
  await outbox().addColumn('leased_by', 'text').execute()
  const kinds = (list: readonly string[]) => sql.join(list)
  await sql`update outbox set lane = 'letters' where kind like 'letter.%'`.execute(db)
  await sql`update outbox set priority = 0 where kind in (${kinds(SECURITY)})`.execute(db)
  await sql`update outbox set priority = 2 where kind in (${kinds(REMINDERS)})`.execute(db)
  await sql`update outbox set priority = 3 where kind in (${kinds(BULK)})`.execute(db)
  await sql`create index outbox_waiting on outbox (lane, priority, due_at) where done_at is null and dead_at is null`.execute(
    db,
  )

  const tokens = () => db.schema.alterTable('one_time_token')
  await tokens()
    .addColumn('lasts_ms', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
  await tokens().addColumn('sent_at', 'bigint').execute()
  // Existing links keep their expiry.
  await sql`update one_time_token set lasts_ms = expires_at - created_at, sent_at = created_at`.execute(db)
}
