import { type Kysely, sql } from 'kysely'

const REFERENCES = { payment: 'reference', rsvp_order: 'manual_reference', sponsorship: 'manual_reference' } as const

/** References of payments outside the card provider are stored as typed, and are the same in capitals and small letters. A file of members without a column of first days has one for all rows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('import_file').addColumn('starts_on', 'text').execute()
  for (const [table, column] of Object.entries(REFERENCES)) {
    await sql`create unique index ${sql.id(`${table}_folded_reference`)} on ${sql.id(table)} (lower(${sql.id(column)}))
      where substr(${sql.id(column)}, 1, 8) = 'by-hand:'`.execute(db)
  }
}
