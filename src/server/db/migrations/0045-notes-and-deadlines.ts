import type { Kysely } from 'kysely'

/** What the confirmation and the reminder of an event also say, officers' notes on messages, and deadlines of sponsors' benefits. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('rsvp_settings').addColumn('confirmation_note', 'text').execute()
  await db.schema.alterTable('rsvp_settings').addColumn('reminder_note', 'text').execute()
  await db.schema
    .createTable('message_note')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('message_id', 'text', (column) => column.notNull())
    .addColumn('text', 'text', (column) => column.notNull())
    .addColumn('written_by', 'text', (column) => column.notNull())
    .addColumn('written_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('message_note_message').on('message_note').column('message_id').execute()
  await db.schema
    .createTable('benefit_deadline')
    .addColumn('sponsorship_id', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('due_on', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('benefit_deadline_key', ['sponsorship_id', 'kind'])
    .execute()
}
