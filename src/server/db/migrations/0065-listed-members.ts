import { sql, type Kysely } from 'kysely'
import type { Engine } from '../database.ts'

/** What the list of members shows of each member, kept so that a list of a hundred thousand is filtered, sorted and counted at once (decision record 73). */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('listed_member')
    .addColumn('account_id', 'text', (column) => column.primaryKey().references('account.id').onDelete('cascade'))
    .addColumn('holds_until', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('grace_ms', 'bigint')
    .addColumn('state', 'text', (column) => column.notNull().defaultTo('NONE'))
    .addColumn('level_key', 'text')
    .addColumn('started_at', 'bigint')
    .addColumn('runs_until', 'bigint')
    .addColumn('is_ended', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('renewal', 'text')
    .addColumn('renewal_amount', 'integer')
    .addColumn('credential_id', 'text')
    .addColumn('credentials', 'text', (column) => column.notNull().defaultTo('none'))
    .addColumn('last_paid_at', 'bigint')
    .addColumn('joined_at', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('last_name', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('first_name', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
  await db.schema.createIndex('listed_member_due').on('listed_member').column('holds_until').execute()
  await sql`create index listed_member_grace on listed_member (grace_ms) where grace_ms is not null`.execute(db)
  // Members with rights by level, those past due, and whose membership ends soon.
  await sql`create index listed_member_state on listed_member (state, level_key, renewal, renewal_amount)`.execute(db)
  await db.schema.createIndex('listed_member_end').on('listed_member').column('runs_until').execute()
  await db.schema.createIndex('listed_member_joined').on('listed_member').columns(['joined_at', 'account_id']).execute()
  await sql`create index listed_member_name on listed_member (last_name, first_name, account_id)`.execute(db)
  await sql`insert into listed_member (account_id) select id from account`.execute(db)
  await (engine === 'sqlite' ? watchOnSqlite(db) : watchOnPostgres(db))
  await keepSearchTexts(db, engine)
}

/** A search looked for missing texts by counting them: now a text that is out of date is null, which an index finds. */
async function keepSearchTexts(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await (engine === 'sqlite'
    ? sql`drop trigger account_search_changed`.execute(db)
    : sql`drop trigger account_search_changed on account`.execute(db))
  await db.schema.dropTable('account_search').execute()
  await db.schema
    .createTable('account_search')
    .addColumn('account_id', 'text', (column) => column.primaryKey().references('account.id').onDelete('cascade'))
    .addColumn('words', 'text')
    .execute()
  await sql`create index account_search_due on account_search (account_id) where words is null`.execute(db)
  await sql`insert into account_search (account_id) select id from account`.execute(db)
  const names = 'first_name, last_name, email, username'
  if (engine === 'sqlite') {
    await sql`
      create trigger account_search_added after insert on account
      begin insert into account_search (account_id) values (new.id); end`.execute(db)
    await sql
      .raw(
        `create trigger account_search_changed after update of ${names} on account
        begin update account_search set words = null where account_id = new.id; end`,
      )
      .execute(db)
    return
  }
  await sql`drop function forget_account_search()`.execute(db)
  await sql`
    create or replace function outdate_account_search() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then insert into account_search (account_id) values (new.id);
      else update account_search set words = null where account_id = new.id;
      end if;
      return null;
    end
    $$`.execute(db)
  await sql
    .raw(
      `create trigger account_search_changed after insert or update of ${names} on account
      for each row execute function outdate_account_search()`,
    )
    .execute(db)
}

/** What a row is worked out from: the columns whose changes matter, and where the account's id is. */
const SOURCES = [
  { table: 'account', id: 'id', columns: ['deactivated_by', 'first_name', 'last_name', 'created_at'] },
  {
    table: 'membership',
    id: 'account_id',
    columns: [
      'account_id',
      'level_key',
      'kind',
      'started_at',
      'ends_at',
      'stripe_status',
      'cancel_at_period_end',
      'past_due_since',
      'next_attempt_at',
      'gave_up_at',
      'renewal_amount',
      'ended_at',
      'is_current',
    ],
  },
  { table: 'credential', id: 'account_id', columns: ['account_id', 'given_at', 'status'] },
  { table: 'payment', id: 'account_id', columns: ['account_id', 'paid_at', 'voided_at'] },
] as const

/** A new account has a row at once; a change of what it shows makes it out of date, in the same transaction. */
async function watchOnSqlite(db: Kysely<unknown>): Promise<void> {
  await sql`
    create trigger listed_member_added after insert on account
    begin
      insert into listed_member (account_id) values (new.id);
    end`.execute(db)
  for (const { table, id, columns } of SOURCES) {
    const outdate = (row: string) =>
      `update listed_member set holds_until = 0 where account_id = ${row}.${id} and holds_until <> 0;`
    const watch = (event: string, name: string, statements: string) =>
      sql.raw(`create trigger listed_member_${table}_${name} after ${event} on ${table} begin ${statements} end`)
    await watch(`update of ${columns.join(', ')}`, 'changed', `${outdate('old')} ${outdate('new')}`).execute(db)
    if (table === 'account') continue
    await watch('insert', 'inserted', outdate('new')).execute(db)
    await watch('delete', 'deleted', outdate('old')).execute(db)
  }
}

async function watchOnPostgres(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function add_listed_member() returns trigger language plpgsql as $$
    begin
      insert into listed_member (account_id) values (new.id);
      return null;
    end
    $$`.execute(db)
  await sql`
    create trigger listed_member_added after insert on account
    for each row execute function add_listed_member()`.execute(db)
  for (const { table, id, columns } of SOURCES) {
    // The lock first: it waits for a refresh that may have read what was there before, and a row that is out of date already is not written again.
    const outdate = (row: string) => `
      perform 1 from listed_member where account_id = ${row}.${id} for no key update;
      update listed_member set holds_until = 0 where account_id = ${row}.${id} and holds_until <> 0;`
    const events = table === 'account' ? '' : 'insert or delete or '
    await sql
      .raw(
        `create or replace function outdate_listed_member_of_${table}() returns trigger language plpgsql as $$
        begin
          if tg_op <> 'INSERT' then ${outdate('old')} end if;
          if tg_op = 'INSERT' or (tg_op = 'UPDATE' and old.${id} <> new.${id}) then ${outdate('new')} end if;
          return null;
        end
        $$`,
      )
      .execute(db)
    await sql
      .raw(
        `create trigger listed_member_${table}_changed after ${events}update of ${columns.join(', ')} on ${table}
        for each row execute function outdate_listed_member_of_${table}()`,
      )
      .execute(db)
  }
}
