import { sql, type Kysely } from 'kysely'
import type { Engine } from '../database.ts'

/** What decides which credentials are due for a recheck is kept beside the members, so that any number of them is counted from an index (decision record 77). */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await db.schema.alterTable('listed_member').addColumn('credentials_counted_from', 'bigint').execute()
  await db.schema.alterTable('listed_member').addColumn('credentials_end_on', 'text').execute()
  await db.schema.alterTable('listed_member').addColumn('credentials_asked_at', 'bigint').execute()
  await db.schema
    .createIndex('listed_member_credentials')
    .on('listed_member')
    .columns([
      'credentials',
      'credentials_counted_from',
      'credential_id',
      'credentials_end_on',
      'credentials_asked_at',
      'state',
    ])
    .execute()
  await sql`update listed_member set holds_until = 0`.execute(db)
  await watchMoreColumns(db, engine)
}

/** As `0065-listed-members.ts` watches credentials, with the columns that rechecks read. */
async function watchMoreColumns(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const columns = 'account_id, given_at, status, ends_on, decided_at, counted_from, asked_at, answered_at'
  if (engine === 'sqlite') {
    const outdate = (row: string) =>
      `update listed_member set holds_until = 0 where account_id = ${row}.account_id and holds_until <> 0;`
    await sql`drop trigger listed_member_credential_changed`.execute(db)
    await sql
      .raw(
        `create trigger listed_member_credential_changed after update of ${columns} on credential
        begin ${outdate('old')} ${outdate('new')} end`,
      )
      .execute(db)
    return
  }
  await sql`drop trigger listed_member_credential_changed on credential`.execute(db)
  await sql
    .raw(
      `create trigger listed_member_credential_changed after insert or delete or update of ${columns} on credential
      for each row execute function outdate_listed_member_of_credential()`,
    )
    .execute(db)
}
