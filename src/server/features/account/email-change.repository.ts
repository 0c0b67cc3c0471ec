import type { Db } from '#server/db/database.ts'

/** Remembers the address an account asked for; a later one takes its place. */
export async function saveEmailChange(
  db: Db,
  { accountId, email, askedAt }: { accountId: string; email: string; askedAt: number },
): Promise<void> {
  await db
    .insertInto('email_change')
    .values({ account_id: accountId, email, asked_at: askedAt })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ email, asked_at: askedAt }))
    .execute()
}

/** The address an account asked for; null when it asks for none. */
export async function findWantedEmail(db: Db, accountId: string): Promise<string | null> {
  const row = await db.selectFrom('email_change').select('email').where('account_id', '=', accountId).executeTakeFirst()
  return row?.email ?? null
}

export async function forgetEmailChange(db: Db, accountId: string): Promise<void> {
  await db.deleteFrom('email_change').where('account_id', '=', accountId).execute()
}

/** Those whose link has long ended: addresses nobody confirmed do not stay. */
export async function forgetUnconfirmedEmailChanges(db: Db, before: number): Promise<void> {
  await db.deleteFrom('email_change').where('asked_at', '<', before).execute()
}
