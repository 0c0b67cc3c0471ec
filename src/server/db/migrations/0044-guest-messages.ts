import type { Kysely } from 'kysely'

/** Messages of officers to the guests of an event, and a copy for each party. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('guest_message')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('event_id', 'text', (column) => column.notNull())
    .addColumn('audiences', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('text', 'text', (column) => column.notNull())
    .addColumn('sent_by', 'text', (column) => column.notNull())
    .addColumn('sent_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('guest_message_event').on('guest_message').columns(['event_id', 'sent_at']).execute()
  await db.schema
    .createTable('guest_message_copy')
    .addColumn('message_id', 'text', (column) => column.notNull())
    .addColumn('rsvp_id', 'text', (column) => column.notNull())
    .addColumn('accepted_at', 'bigint')
    .addPrimaryKeyConstraint('guest_message_copy_key', ['message_id', 'rsvp_id'])
    .execute()
}
