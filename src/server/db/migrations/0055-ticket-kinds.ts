import type { Kysely } from 'kysely'

/** Kinds of tickets of an event, and the tickets of a party, at the prices it agreed to (decision record 64). */
export async function up(db: Kysely<unknown>): Promise<void> {
  const columns = [
    ['rsvp_settings', 'kinds'],
    ['rsvp', 'tickets'],
    ['rsvp_request', 'tickets'],
    ['rsvp_order', 'tickets'],
    ['rsvp_order', 'base_tickets'],
  ] as const
  for (const [table, column] of columns) {
    await db.schema
      .alterTable(table)
      .addColumn(column, 'text', (one) => one.notNull().defaultTo('[]'))
      .execute()
  }
}
