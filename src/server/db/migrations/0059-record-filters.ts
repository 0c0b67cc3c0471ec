import type { Kysely } from 'kysely'

/** The list of members is filtered by fields of the member record. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex('record_value_by_field').on('record_value').columns(['field_key', 'account_id']).execute()
}
