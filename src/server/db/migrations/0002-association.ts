import type { ColumnDefinitionBuilder, Kysely } from 'kysely'

const required = (column: ColumnDefinitionBuilder) => column.notNull()
const list = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo('[]')

/** Leaders, committees, frequently asked questions, and pages with more than one column of text. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // One statement per column: SQLite cannot add several at once.
  for (const name of ['lead', 'picture', 'picture_alt']) {
    await db.schema.alterTable('page').addColumn(name, 'text').execute()
  }
  for (const name of ['facts', 'items', 'more']) {
    await db.schema.alterTable('page').addColumn(name, 'text', list).execute()
  }
  await db.schema
    .createTable('leader_body')
    .addColumn('body', 'text', required)
    .addColumn('term', 'text', required)
    .addColumn('title', 'text', required)
    .addColumn('lead', 'text', required)
    .addPrimaryKeyConstraint('leader_body_key', ['body', 'term'])
    .execute()
  await db.schema
    .createTable('leader')
    .addColumn('id', 'text', (column) => column.notNull().primaryKey())
    .addColumn('body', 'text', required)
    .addColumn('term', 'text', required)
    .addColumn('name', 'text', required)
    .addColumn('role', 'text')
    .addColumn('location', 'text')
    .addColumn('position', 'integer', required)
    .addForeignKeyConstraint('leader_of_body', ['body', 'term'], 'leader_body', ['body', 'term'])
    .execute()
  await db.schema.createIndex('leader_order').on('leader').columns(['body', 'term', 'position']).execute()
  await db.schema
    .createTable('committee')
    .addColumn('id', 'text', required)
    .addColumn('term', 'text', required)
    .addColumn('title', 'text', required)
    .addColumn('blurb', 'text', required)
    .addColumn('members', 'text', required)
    .addColumn('position', 'integer', required)
    .addPrimaryKeyConstraint('committee_key', ['id', 'term'])
    .execute()
  await db.schema
    .createTable('past_president')
    .addColumn('year', 'integer', (column) => column.notNull().primaryKey())
    .addColumn('name', 'text', required)
    .execute()
  await db.schema
    .createTable('faq')
    .addColumn('id', 'text', (column) => column.notNull().primaryKey())
    .addColumn('question', 'text', required)
    .addColumn('answer', 'text', required)
    .addColumn('position', 'integer', required)
    .execute()
}
