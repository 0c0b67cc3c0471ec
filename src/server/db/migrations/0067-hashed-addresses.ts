import { sql, type Kysely } from 'kysely'
import type { Engine } from '../database.ts'

/**
 * The hash of each account's address, kept so that addresses to which nothing may be sent are found by an index: hashing a hundred thousand takes half a
 * second (decision record 74). As with `account_search`, a trigger marks what is out of date.
 */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('hashed_address')
    .addColumn('account_id', 'text', (column) => column.primaryKey().references('account.id').onDelete('cascade'))
    .addColumn('email_hash', 'text')
    .addColumn('key_check', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
  await db.schema.createIndex('hashed_address_hash').on('hashed_address').column('email_hash').execute()
  await db.schema.createIndex('hashed_address_key').on('hashed_address').column('key_check').execute()
  await sql`create index account_without_email on account (id) where email = ''`.execute(db)
  await sql`insert into hashed_address (account_id) select id from account`.execute(db)
  if (engine === 'sqlite') {
    await sql`
      create trigger hashed_address_added after insert on account
      begin insert into hashed_address (account_id) values (new.id); end`.execute(db)
    await sql`
      create trigger hashed_address_changed after update of email on account
      begin update hashed_address set email_hash = null where account_id = new.id; end`.execute(db)
    return
  }
  await sql`
    create or replace function outdate_hashed_address() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then insert into hashed_address (account_id) values (new.id);
      else update hashed_address set email_hash = null where account_id = new.id;
      end if;
      return null;
    end
    $$`.execute(db)
  await sql`
    create trigger hashed_address_changed after insert or update of email on account
    for each row execute function outdate_hashed_address()`.execute(db)
}
