import type { Kysely } from 'kysely'

/** Refunds and disputes of sponsorships, like those of dues and seats; found by payment when a webhook event arrives. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const table = () => db.schema.alterTable('sponsorship')
  await table()
    .addColumn('amount_refunded', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await table().addColumn('refunded_at', 'bigint').execute()
  await table().addColumn('dispute_state', 'text').execute()
  await db.schema.createIndex('sponsorship_payment').on('sponsorship').column('payment_reference').execute()
}
