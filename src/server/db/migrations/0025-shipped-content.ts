import type { Kysely } from 'kysely'

/** Records which files of `content/` were last checked, so that a start checks them only when a release ships different ones. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('content_version').addColumn('shipped', 'text').execute()
}
