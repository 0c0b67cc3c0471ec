import type { Kysely } from 'kysely'

/** Exports of other systems are recognized (decision record 66). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('import_file').addColumn('system', 'text').execute()
}
