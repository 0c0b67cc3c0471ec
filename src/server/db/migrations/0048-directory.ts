import type { ColumnDefinitionBuilder, Kysely } from 'kysely'

const required = (column: ColumnDefinitionBuilder) => column.notNull()

/** Members choose to be in the directory; the words they are found by; messages that members send each other through it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('directory_listing')
    .addColumn('id', 'text', (column) => column.notNull().primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().unique())
    .addColumn('in_members', 'integer', required)
    .addColumn('in_public', 'integer', required)
    .addColumn('takes_messages', 'integer', required)
    .addColumn('sort_name', 'text', required)
    .addColumn('updated_at', 'bigint', required)
    .execute()
  await db.schema
    .createIndex('directory_listing_members')
    .on('directory_listing')
    .columns(['in_members', 'sort_name', 'id'])
    .execute()
  await db.schema
    .createIndex('directory_listing_public')
    .on('directory_listing')
    .columns(['in_public', 'sort_name', 'id'])
    .execute()
  await db.schema
    .createTable('directory_word')
    .addColumn('word', 'text', required)
    .addColumn('account_id', 'text', required)
    .addColumn('field_key', 'text', required)
    .addPrimaryKeyConstraint('directory_word_key', ['word', 'account_id', 'field_key'])
    .execute()
  await db.schema.createIndex('directory_word_account').on('directory_word').column('account_id').execute()
  await db.schema
    .createTable('directory_spelling')
    .addColumn('spelling', 'text', required)
    .addColumn('word', 'text', required)
    .addPrimaryKeyConstraint('directory_spelling_key', ['spelling', 'word'])
    .execute()
  await db.schema.createIndex('directory_spelling_word').on('directory_spelling').column('word').execute()
  await db.schema
    .createTable('directory_message')
    .addColumn('id', 'text', (column) => column.notNull().primaryKey())
    .addColumn('from_account_id', 'text', required)
    .addColumn('to_account_id', 'text', required)
    .addColumn('subject', 'text', required)
    .addColumn('text', 'text', required)
    .addColumn('shows_address', 'integer', required)
    .addColumn('sent_at', 'bigint', required)
    .addColumn('reported_at', 'bigint')
    .execute()
  await db.schema.createIndex('directory_message_from').on('directory_message').column('from_account_id').execute()
  await db.schema.createIndex('directory_message_to').on('directory_message').column('to_account_id').execute()
}
