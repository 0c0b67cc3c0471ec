import { sql, type Kysely } from 'kysely'

/** More lists of a hundred thousand members (decision record 72). */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The report of members counts the paid terms that ended in a month.
  await sql`create index payment_period_end on payment (period_ends_at) where voided_at is null`.execute(db)
  // Suggestions for a misspelled name compare each different name once.
  await sql`create index account_first_name on account (lower(first_name))`.execute(db)
  // The newest credentials of each account, in the order in which they are looked for.
  await db.schema.dropIndex('credential_account').execute()
  await sql`create index credential_newest on credential (account_id, given_at desc, id desc, status)`.execute(db)
}
