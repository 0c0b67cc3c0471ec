import type { Kysely } from 'kysely'

/** Names of levels in files of members are matched to levels. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('import_file').addColumn('level_names', 'text').execute()
}
