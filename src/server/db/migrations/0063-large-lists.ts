import { sql, type Kysely } from 'kysely'
import type { Engine } from '../database.ts'

/** Lists of a hundred thousand members and a million payments (decision record 72). */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  // When a member last paid dues, and sums of the ledger, are read from an index alone.
  await sql`create index payment_last on payment (account_id, paid_at) where voided_at is null`.execute(db)
  await sql`create index ledger_entry_sums on ledger_entry (at, kind, type, method, currency, amount)`.execute(db)
  // With the status alone, SQLite reads all approved credentials for each person of the public directory.
  await db.schema.dropIndex('credential_status').execute()
  await db.schema.createIndex('credential_status').on('credential').columns(['status', 'account_id']).execute()
  // Some are of accounts that were renamed since; the next search writes them again.
  await sql`delete from account_search`.execute(db)
  await db.schema.alterTable('account_search').dropColumn('source').execute()
  await (engine === 'sqlite' ? forgetSearchOnSqlite(db) : forgetSearchOnPostgres(db))
}

/** Each change of an account's name, address or username removes its search text, so a stored text is never out of date. */
async function forgetSearchOnSqlite(db: Kysely<unknown>): Promise<void> {
  await sql`
    create trigger account_search_changed after update of first_name, last_name, email, username on account
    begin
      delete from account_search where account_id = new.id;
    end`.execute(db)
}

async function forgetSearchOnPostgres(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function forget_account_search() returns trigger language plpgsql as $$
    begin
      delete from account_search where account_id = new.id;
      return null;
    end
    $$`.execute(db)
  await sql`
    create trigger account_search_changed after update of first_name, last_name, email, username on account
    for each row execute function forget_account_search()`.execute(db)
}
