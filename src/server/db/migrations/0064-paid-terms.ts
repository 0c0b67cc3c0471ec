import { sql, type Kysely } from 'kysely'

/** The report of members counts the paid terms that ended in a month; without an index it reads every payment. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index payment_period_end on payment (period_ends_at) where voided_at is null`.execute(db)
}
