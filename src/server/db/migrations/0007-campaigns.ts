import { sql, type ColumnDefinitionBuilder, type Kysely } from 'kysely'
import type { Engine } from '../database.ts'

const required = (column: ColumnDefinitionBuilder) => column.notNull()
const key = (column: ColumnDefinitionBuilder) => column.notNull().primaryKey()
const count = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0)

/** Newsletters, their mailings, and the delivery of each copy. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('campaign')
    .addColumn('id', 'text', key)
    .addColumn('name', 'text', required)
    .addColumn('subject', 'text', required)
    .addColumn('layout', 'text', required)
    .addColumn('html', 'text', required)
    .addColumn('text', 'text', required)
    .addColumn('picture', 'text')
    .addColumn('snippet', 'text', required)
    .addColumn('can_embed', 'integer', required)
    .addColumn('has_view', 'integer', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('updated_at', 'bigint', required)
    .addColumn('sent_at', 'bigint')
    .execute()
  await db.schema.createIndex('campaign_sent_at').on('campaign').columns(['sent_at', 'id']).execute()
  await createSearch(db, engine)
  await db.schema
    .createTable('mailing')
    .addColumn('campaign_id', 'text', (column) => column.notNull().primaryKey().references('campaign.id'))
    .addColumn('state', 'text', required)
    .addColumn('recipients', 'integer', required)
    .addColumn('started_at', 'bigint', required)
    .addColumn('resume_at', 'bigint', required)
    .addColumn('failures_in_a_row', 'integer', count)
    .addColumn('last_error', 'text')
    .addColumn('finished_at', 'bigint')
    .execute()
  await db.schema
    .createTable('delivery')
    .addColumn('id', 'text', key)
    .addColumn('campaign_id', 'text', (column) => column.notNull().references('campaign.id'))
    .addColumn('subscriber_id', 'text', required)
    .addColumn('email', 'text', required)
    .addColumn('state', 'text', required)
    .addColumn('attempts', 'integer', count)
    .addColumn('due_at', 'bigint', required)
    .addColumn('leased_until', 'bigint')
    .addColumn('settled_at', 'bigint')
    .addColumn('reason', 'text')
    .addUniqueConstraint('delivery_once', ['campaign_id', 'subscriber_id'])
    .execute()
  await db.schema.createIndex('delivery_due').on('delivery').columns(['campaign_id', 'state', 'due_at']).execute()
  for (const column of ['hard_bounces', 'soft_bounces'] as const)
    await db.schema.alterTable('subscriber').addColumn(column, 'integer', count).execute()
  await db.schema.createIndex('subscriber_state').on('subscriber').column('state').execute()
}

/** One row of plain text per campaign; each engine indexes it with its own full-text search (`db/full-text.ts`). */
async function createSearch(db: Kysely<unknown>, engine: Engine): Promise<void> {
  if (engine === 'sqlite') {
    await sql`create virtual table campaign_search using fts5(campaign_id unindexed, words)`.execute(db)
    return
  }
  await db.schema
    .createTable('campaign_search')
    .addColumn('campaign_id', 'text', key)
    .addColumn('words', 'text', required)
    .execute()
  await sql`create index campaign_search_words on campaign_search using gin (to_tsvector('simple', words))`.execute(db)
}
