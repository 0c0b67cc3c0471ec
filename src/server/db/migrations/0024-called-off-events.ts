import type { Kysely } from 'kysely'

/** An event that does not take place: since when everybody knows, and what they were told. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('event_offer').addColumn('called_off_at', 'bigint').execute()
  await db.schema.alterTable('event_offer').addColumn('called_off_words', 'text').execute()
}
