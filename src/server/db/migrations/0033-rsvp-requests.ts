import type { ColumnDefinitionBuilder, Kysely } from 'kysely'

const required = (column: ColumnDefinitionBuilder) => column.notNull()
const key = (column: ColumnDefinitionBuilder) => column.notNull().primaryKey()

/**
 * RSVPs from unconfirmed email addresses. Their seats are held temporarily, and permanently once the button in the email is used. RSVPs from earlier releases
 * stay in `rsvp`: confirmed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('rsvp_request')
    .addColumn('id', 'text', key)
    .addColumn('event_id', 'text', required)
    .addColumn('mailbox_key', 'text', required)
    .addColumn('email', 'text', required)
    .addColumn('email_key', 'text', required)
    .addColumn('name', 'text', required)
    .addColumn('guests', 'integer', required)
    .addColumn('meals', 'text', required)
    .addColumn('own_price', 'integer', required)
    .addColumn('guest_price', 'integer', required)
    .addColumn('seats', 'integer', required)
    .addColumn('held_until', 'bigint', required)
    .addColumn('asked_at', 'bigint', required)
    .execute()
  await db.schema
    .createIndex('rsvp_request_email')
    .on('rsvp_request')
    .columns(['event_id', 'email_key'])
    .unique()
    .execute()
  await db.schema.createIndex('rsvp_request_mailbox').on('rsvp_request').columns(['event_id', 'mailbox_key']).execute()
  await db.schema.createIndex('rsvp_request_held').on('rsvp_request').column('held_until').execute()
}
