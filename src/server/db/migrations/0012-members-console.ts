import { sql, type ColumnDefinitionBuilder, type Kysely } from 'kysely'

const required = (column: ColumnDefinitionBuilder) => column.notNull()
const key = (column: ColumnDefinitionBuilder) => column.notNull().primaryKey()

/** Indexes and saved views for the console's member list. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('console_view')
    .addColumn('id', 'text', key)
    .addColumn('account_id', 'text', required)
    .addColumn('name', 'text', required)
    .addColumn('query', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .addUniqueConstraint('console_view_name', ['account_id', 'name'])
    .execute()
  await sql`create index account_name on account (lower(last_name), lower(first_name), id)`.execute(db)
  await db.schema.createIndex('account_created').on('account').columns(['created_at', 'id']).execute()
  await db.schema.createIndex('payment_paid').on('payment').column('paid_at').execute()
}
