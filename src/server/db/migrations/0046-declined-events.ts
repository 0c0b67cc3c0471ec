import type { ColumnDefinitionBuilder, Kysely } from 'kysely'

const required = (column: ColumnDefinitionBuilder) => column.notNull()

/** Members say that they cannot come to an event, without an RSVP. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('declined_event')
    .addColumn('account_id', 'text', required)
    .addColumn('event_id', 'text', required)
    .addColumn('declined_at', 'bigint', required)
    .addPrimaryKeyConstraint('declined_event_key', ['account_id', 'event_id'])
    .execute()
}
