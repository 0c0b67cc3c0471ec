import type { ColumnDefinitionBuilder, Kysely } from 'kysely'

const required = (column: ColumnDefinitionBuilder) => column.notNull()
const key = (column: ColumnDefinitionBuilder) => column.notNull().primaryKey()

/** The inbox with replies and templates, runs of show, and newsletter drafts and schedules. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('contact_message').addColumn('assigned_to', 'text').execute()
  await db.schema.alterTable('contact_message').addColumn('spam_at', 'bigint').execute()
  await db.schema
    .alterTable('contact_message')
    .addColumn('version', 'integer', (column) => column.notNull().defaultTo(1))
    .execute()
  await db.schema
    .createTable('message_answer')
    .addColumn('id', 'text', key)
    .addColumn('message_id', 'text', required)
    .addColumn('text', 'text', required)
    .addColumn('sent_by', 'text', required)
    .addColumn('sent_at', 'bigint', required)
    .addColumn('mailed_at', 'bigint')
    .execute()
  await db.schema
    .createIndex('message_answer_message')
    .on('message_answer')
    .columns(['message_id', 'sent_at'])
    .execute()
  await db.schema
    .createTable('message_template')
    .addColumn('id', 'text', key)
    .addColumn('name', 'text', required)
    .addColumn('text', 'text', required)
    .addColumn('version', 'integer', required)
    .addColumn('updated_at', 'bigint', required)
    .execute()
  await db.schema
    .createTable('run_of_show')
    .addColumn('day', 'text', key)
    .addColumn('starts_at', 'text', required)
    .addColumn('items', 'text', required)
    .addColumn('version', 'integer', required)
    .addColumn('updated_at', 'bigint', required)
    .execute()
  await db.schema
    .createTable('campaign_draft')
    .addColumn('campaign_id', 'text', key)
    .addColumn('blocks', 'text', required)
    .addColumn('version', 'integer', required)
    .addColumn('updated_by', 'text', required)
    .addColumn('updated_at', 'bigint', required)
    .execute()
  await db.schema
    .createTable('mailing_schedule')
    .addColumn('campaign_id', 'text', key)
    .addColumn('due_at', 'bigint', required)
    .addColumn('asked_by', 'text', required)
    .addColumn('asked_at', 'bigint', required)
    .addColumn('refused', 'text')
    .execute()
  await db.schema.createIndex('subscriber_asked').on('subscriber').columns(['asked_at', 'id']).execute()
}
