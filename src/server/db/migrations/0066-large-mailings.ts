import { sql, type Kysely } from 'kysely'

/** Emails to a hundred thousand members (decision record 72). */
export async function up(db: Kysely<unknown>): Promise<void> {
  // How an email reached them is counted from the index alone.
  await sql`create index member_email_reach on member_email_recipient (campaign_id, way, reason, account_id)`.execute(
    db,
  )
  // Copies whose sender stopped are looked for all the time, among millions.
  await sql`create index delivery_lease on delivery (leased_until) where state = 'sending'`.execute(db)
}
