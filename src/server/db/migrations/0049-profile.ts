import type { Kysely } from 'kysely'

/** Records which profile filled the database, so that later releases add that profile's content only. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('content_version').addColumn('profile', 'text').execute()
}
