import type { Kysely } from 'kysely'

/** Which files of `content/` were last looked through, so that a start looks only when a release brought others. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('content_version').addColumn('shipped', 'text').execute()
}
