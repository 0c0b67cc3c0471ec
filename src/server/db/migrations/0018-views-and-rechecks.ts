import { sql, type ColumnDefinitionBuilder, type Kysely } from 'kysely'
import type { Engine } from '../database.ts'

const required = (column: ColumnDefinitionBuilder) => column.notNull()
const key = (column: ColumnDefinitionBuilder) => column.notNull().primaryKey()

/** Officers viewing the site as a member, and rechecks of credentials (decision record 18). */
export async function up(db: Kysely<unknown>, _engine: Engine, now: number): Promise<void> {
  await db.schema
    .createTable('member_viewing')
    .addColumn('id', 'text', key)
    .addColumn('officer_id', 'text', required)
    .addColumn('session_id', 'text', required)
    .addColumn('account_id', 'text', required)
    .addColumn('reason', 'text', required)
    .addColumn('started_at', 'bigint', required)
    .addColumn('ends_at', 'bigint', required)
    .addColumn('ended_at', 'bigint')
    .execute()
  await db.schema.createIndex('member_viewing_account').on('member_viewing').column('account_id').execute()
  await db.schema.createIndex('member_viewing_ended').on('member_viewing').column('ended_at').execute()

  // One statement per column: SQLite cannot add several at once.
  await db.schema
    .alterTable('credential')
    .addColumn('kind', 'text', (column) => column.notNull().defaultTo('licence'))
    .execute()
  for (const name of ['place', 'ends_on', 'evidence_kind', 'question'] as const) {
    await db.schema.alterTable('credential').addColumn(name, 'text').execute()
  }
  for (const name of ['counted_from', 'asked_at', 'answered_at'] as const) {
    await db.schema.alterTable('credential').addColumn(name, 'bigint').execute()
  }
  const { rows } = await sql<{
    id: string
    decided_at: number
  }>`select id, decided_at from credential where status = 'approved' and decided_at is not null`.execute(db)
  for (const { id, decided_at } of rows) {
    await sql`update credential set counted_from = ${lastAnniversary(Number(decided_at), now)} where id = ${id}`.execute(
      db,
    )
  }
}

/** Returns the latest anniversary of an approval, so that old approvals come up for recheck within the next year, spread like the approvals were. */
export function lastAnniversary(decidedAt: number, now: number): number {
  const day = new Date(decidedAt)
  let latest = decidedAt
  for (;;) {
    day.setUTCFullYear(day.getUTCFullYear() + 1)
    if (day.getTime() > now) return latest
    latest = day.getTime()
  }
}
