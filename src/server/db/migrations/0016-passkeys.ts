import { sql, type ColumnDefinitionBuilder, type Kysely } from 'kysely'

const required = (column: ColumnDefinitionBuilder) => column.notNull()
const key = (column: ColumnDefinitionBuilder) => column.notNull().primaryKey()

/** Passkeys of officers, and pending challenges. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('passkey')
    .addColumn('id', 'text', key)
    .addColumn('account_id', 'text', required)
    .addColumn('credential_id', 'text', (column) => column.notNull().unique())
    .addColumn('public_key', 'text', required)
    .addColumn('counter', 'bigint', required)
    .addColumn('transports', 'text', required)
    .addColumn('name', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('last_used_at', 'bigint')
    .execute()
  await db.schema.createIndex('passkey_account').on('passkey').column('account_id').execute()
  await db.schema
    .createTable('passkey_challenge')
    .addColumn('challenge_hash', 'text', key)
    .addColumn('account_id', 'text', required)
    .addColumn('session_id', 'text', required)
    .addColumn('purpose', 'text', required)
    .addColumn('expires_at', 'bigint', required)
    .execute()
  await db.schema.createIndex('passkey_challenge_account').on('passkey_challenge').column('account_id').execute()
  // Deleted accounts used to keep their authenticator app and recovery codes, which no longer give access to anything.
  for (const table of ['second_factor', 'recovery_code', 'session_proof']) {
    await sql`delete from ${sql.table(table)} where account_id in (select id from account where deactivated_by = 'self')`.execute(
      db,
    )
  }
}
