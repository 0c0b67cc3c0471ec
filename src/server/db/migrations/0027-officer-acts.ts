import type { Kysely } from 'kysely'

/**
 * What undoing a merge needs to know of the account that stayed, why a scheduled publication was held, and for a while the log-in of accounts that
 * their owners closed.
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
