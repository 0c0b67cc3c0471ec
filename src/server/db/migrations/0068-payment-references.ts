import { sql, type Kysely } from 'kysely'

/** The provider's ids of payments, and the numbers of checks, are looked up (decision record 74): a search compared a million references. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index payment_reference on payment (lower(reference))`.execute(db)
  await sql`
    create index payment_voided on payment (lower(reference)) where substr(reference, 1, 7) = 'voided:'`.execute(db)
}
