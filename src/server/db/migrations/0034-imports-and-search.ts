import { sql, type Kysely } from 'kysely'

/** Undoing imports of members, consent of imported subscribers, and the member search. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['undo_begun_at', 'undone_at'] as const) {
    await db.schema.alterTable('import_file').addColumn(column, 'bigint').execute()
  }
  await db.schema.alterTable('import_file').addColumn('undone_by', 'text').execute()

  await db.schema.alterTable('subscriber').addColumn('imported_at', 'bigint').execute()
  await db.schema.alterTable('subscriber').addColumn('consent_on', 'text').execute()
  await db.schema.alterTable('subscriber').addColumn('consent_source', 'text').execute()
  // Imports used to record their own time as a confirmation. Subscribers who confirmed after unsubscribing, or who were asked before the current confirmation,
  // really did confirm.
  await sql`update subscriber set imported_at = confirmed_at, confirmed_at = null
    where source = 'import' and confirmed_at is not null and asked_at >= confirmed_at
      and (left_at is null or left_at >= confirmed_at)`.execute(db)

  await db.schema
    .createTable('account_search')
    .addColumn('account_id', 'text', (column) =>
      column.notNull().primaryKey().references('account.id').onDelete('cascade'),
    )
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('words', 'text', (column) => column.notNull())
    .execute()
}
