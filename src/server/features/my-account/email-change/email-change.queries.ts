import type { Selectable } from 'kysely'
import type { Db } from '#server/db/database.ts'
import type { EmailChangeTable } from '#server/db/schema/account-schema.ts'

/** A requested email address that has not been confirmed yet. */
export type EmailChange = Selectable<EmailChangeTable>

export async function findEmailChange(db: Db, accountId: string): Promise<EmailChange | null> {
  const row = await db.selectFrom('emailChange').selectAll().where('accountId', '=', accountId).executeTakeFirst()
  return row ?? null
}
