import type { Kysely } from 'kysely'

/** Canceled events: when they were canceled, and the message to guests. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('event_offer').addColumn('called_off_at', 'bigint').execute()
  await db.schema.alterTable('event_offer').addColumn('called_off_words', 'text').execute()
}
