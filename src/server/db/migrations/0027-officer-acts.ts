import type { Kysely } from 'kysely'

/**
 * Data for undoing a merge on the surviving account, the reason a scheduled publication was held, and the temporary log-in names of accounts closed by their
 * owners.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('account_merge').addColumn('kept_sign_in', 'text').execute()
  await db.schema.alterTable('content_revision').addColumn('held', 'text').execute()
  await db.schema
    .createTable('departed_login')
    .addColumn('name_hash', 'text', (column) => column.notNull().primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('password_hash', 'text', (column) => column.notNull())
    .addColumn('left_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('departed_login_left').on('departed_login').column('left_at').execute()
}
