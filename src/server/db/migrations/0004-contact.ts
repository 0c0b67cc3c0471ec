import type { ColumnDefinitionBuilder, Kysely } from 'kysely'

const required = (column: ColumnDefinitionBuilder) => column.notNull()

/** Messages from the contact form, stored before they are emailed (docs/product-rules.md#contact-messages). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('contact_message')
    .addColumn('id', 'text', (column) => column.notNull().primaryKey())
    .addColumn('name', 'text', required)
    .addColumn('email', 'text', required)
    .addColumn('subject', 'text', required)
    .addColumn('message', 'text', required)
    .addColumn('received_at', 'bigint', required)
    .addColumn('answered_at', 'bigint')
    .execute()
  await db.schema
    .createIndex('contact_message_open')
    .on('contact_message')
    .columns(['answered_at', 'received_at'])
    .execute()
}
