import type { ColumnDefinitionBuilder, Kysely } from 'kysely'

const required = (column: ColumnDefinitionBuilder) => column.notNull()

/** Dues that officers change: what each subscription charges, changes of price, and the subscriptions they move (issue 8, 4). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('membership').addColumn('renewal_amount', 'integer').execute()
  await db.schema
    .createTable('price_change')
    .addColumn('id', 'text', (column) => column.notNull().primaryKey())
    .addColumn('level_key', 'text', required)
    .addColumn('amount_before', 'integer', required)
    .addColumn('amount_after', 'integer', required)
    .addColumn('currency', 'text', required)
    .addColumn('scope', 'text', required)
    .addColumn('starts_at', 'bigint', required)
    .addColumn('state', 'text', required)
    .addColumn('asked_by', 'text', required)
    .addColumn('asked_at', 'bigint', required)
    .addColumn('begun_at', 'bigint')
    .addColumn('planned_key', 'text', (column) => column.unique())
    .execute()
  await db.schema.createIndex('price_change_level').on('price_change').columns(['level_key', 'asked_at']).execute()
  await db.schema
    .createTable('price_move')
    .addColumn('change_id', 'text', required)
    .addColumn('subscription_id', 'text', required)
    .addColumn('state', 'text', required)
    .addColumn('queued_at', 'bigint', required)
    .addColumn('settled_at', 'bigint')
    .addPrimaryKeyConstraint('price_move_key', ['change_id', 'subscription_id'])
    .execute()
}
