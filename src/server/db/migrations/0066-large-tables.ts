import { sql, type Kysely } from 'kysely'

/** What is looked up in tables of a hundred thousand rows and more (decision record 72). */
export async function up(db: Kysely<unknown>): Promise<void> {
  // How an email reached members is counted from the index alone.
  await sql`create index member_email_reach on member_email_recipient (campaign_id, way, reason, account_id)`.execute(
    db,
  )
  // Copies whose sender stopped are looked for all the time, among millions.
  await sql`create index delivery_lease on delivery (leased_until) where state = 'sending'`.execute(db)
  // Whether a paid term was followed by another one.
  await sql`
    create index payment_terms on payment (account_id, period_ends_at, paid_at, id) where voided_at is null`.execute(db)
  // The list of members by username, a number in credentials, and what a person did.
  await sql`create index account_username on account (lower(username), id)`.execute(db)
  await sql`create index credential_number on credential (lower(npi))`.execute(db)
  await db.schema.createIndex('audit_actor').on('audit').column('actor').execute()
}
