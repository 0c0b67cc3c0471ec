import { sql, type ColumnDefinitionBuilder, type Kysely } from 'kysely'

const required = (column: ColumnDefinitionBuilder) => column.notNull()
const key = (column: ColumnDefinitionBuilder) => column.notNull().primaryKey()

/** Notes about members, saved views of every list, bulk actions, remembered import columns, and indexes for a person's timeline. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('member_note')
    .addColumn('id', 'text', key)
    .addColumn('account_id', 'text', required)
    .addColumn('kind', 'text', required)
    .addColumn('text', 'text', required)
    .addColumn('written_by', 'text', required)
    .addColumn('written_at', 'bigint', required)
    .addColumn('edited_at', 'bigint')
    .addColumn('deleted_at', 'bigint')
    .addColumn('run_id', 'text')
    .addColumn('version', 'integer', required)
    .execute()
  await db.schema.createIndex('member_note_account').on('member_note').columns(['account_id', 'written_at']).execute()
  await db.schema.createIndex('member_note_run').on('member_note').column('run_id').execute()

  await db.schema
    .createTable('saved_view')
    .addColumn('id', 'text', key)
    .addColumn('list', 'text', required)
    .addColumn('name', 'text', required)
    .addColumn('query', 'text', required)
    .addColumn('owner_id', 'text', required)
    .addColumn('is_shared', 'integer', required)
    .addColumn('created_at', 'bigint', required)
    .addUniqueConstraint('saved_view_name', ['owner_id', 'list', 'name'])
    .execute()
  await db.schema.createIndex('saved_view_shared').on('saved_view').columns(['list', 'is_shared']).execute()
  await sql`insert into saved_view (id, list, name, query, owner_id, is_shared, created_at)
    select id, 'members', name, replace(query, 'order=', 'sort='), account_id, 0, created_at from console_view`.execute(
    db,
  )
  await db.schema.dropTable('console_view').execute()

  await db.schema
    .createTable('bulk_run')
    .addColumn('id', 'text', key)
    .addColumn('action', 'text', required)
    .addColumn('details', 'text', required)
    .addColumn('officer_id', 'text', required)
    .addColumn('state', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('finished_at', 'bigint')
    .execute()
  await db.schema
    .createTable('bulk_item')
    .addColumn('run_id', 'text', (column) => column.notNull().references('bulk_run.id').onDelete('cascade'))
    .addColumn('account_id', 'text', required)
    .addColumn('state', 'text', required)
    .addColumn('reason', 'text')
    .addPrimaryKeyConstraint('bulk_item_key', ['run_id', 'account_id'])
    .execute()
  await db.schema.createIndex('bulk_item_state').on('bulk_item').columns(['run_id', 'state']).execute()

  await db.schema
    .createTable('import_heading')
    .addColumn('heading', 'text', key)
    .addColumn('column_name', 'text')
    .addColumn('chosen_at', 'bigint', required)
    .execute()
  await db.schema.alterTable('import_file').addColumn('columns', 'text').execute()

  await db.schema.createIndex('delivery_subscriber').on('delivery').column('subscriber_id').execute()
  await sql`create index contact_message_email on contact_message (lower(email))`.execute(db)
  await sql`create index sponsorship_email on sponsorship (lower(email))`.execute(db)
  await db.schema.createIndex('payment_account_paid').on('payment').columns(['account_id', 'paid_at']).execute()
}
