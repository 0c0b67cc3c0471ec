import type { ColumnDefinitionBuilder, Kysely } from 'kysely'

type Column = [
  name: string,
  type: 'text' | 'integer' | 'bigint',
  build?: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder,
]

const plain = (column: ColumnDefinitionBuilder) => column
const required = (column: ColumnDefinitionBuilder) => column.notNull()

const MEMBERSHIP: Column[] = [
  ['next_attempt_at', 'bigint'],
  ['gave_up_at', 'bigint'],
]

const PAYMENT: Column[] = [
  ['payment_intent_id', 'text'],
  ['purpose', 'text', (column) => column.notNull().defaultTo('start')],
  ['period_ends_at', 'bigint'],
  ['activated_at', 'bigint'],
  ['receipt_sent_at', 'bigint'],
  ['amount_refunded', 'integer', (column) => column.notNull().defaultTo(0)],
  ['refunded_at', 'bigint'],
  ['dispute_state', 'text'],
]

/** Payment retries, refunds and disputes, and membership reminders. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await addColumns(db, 'membership', MEMBERSHIP)
  await addColumns(db, 'payment', PAYMENT)
  await addColumns(db, 'checkout', [['credit', 'integer', (column) => column.notNull().defaultTo(0)]])
  await db.schema.createIndex('payment_intent').on('payment').column('payment_intent_id').execute()
  await db.schema.createIndex('membership_end').on('membership').columns(['is_current', 'ends_at']).execute()
  await db.schema
    .createTable('membership_notice')
    .addColumn('id', 'text', (column) => column.notNull().primaryKey())
    .addColumn('account_id', 'text', required)
    .addColumn('membership_id', 'text', required)
    .addColumn('kind', 'text', required)
    .addColumn('about_at', 'bigint', required)
    .addColumn('queued_at', 'bigint', required)
    .addColumn('state', 'text', required)
    .addColumn('settled_at', 'bigint')
    .addColumn('message_id', 'text')
    .addColumn('sent_to', 'text')
    .addColumn('told', 'text')
    .addUniqueConstraint('membership_notice_once', ['membership_id', 'kind', 'about_at'])
    .execute()
  await db.schema.createIndex('membership_notice_account').on('membership_notice').column('account_id').execute()
}

/** One statement per column: SQLite cannot add several at once. */
async function addColumns(db: Kysely<unknown>, table: string, columns: readonly Column[]): Promise<void> {
  for (const [name, type, build = plain] of columns) {
    await db.schema.alterTable(table).addColumn(name, type, build).execute()
  }
}
