import type { Kysely } from 'kysely'

/** Answers to questions that a kind of credentials has besides number, issuer, school and last day (decision record 60). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('credential').addColumn('answers', 'text').execute()
}
