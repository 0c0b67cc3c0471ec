import type { Db } from '#server/db/database.ts'

export async function recordImport(
  db: Db,
  { accountId, batch }: { accountId: string; batch: string },
  now: number,
): Promise<void> {
  await db.insertInto('member_import').values({ account_id: accountId, batch, imported_at: now }).execute()
}

/** Accounts a batch made that are still there. */
export async function listImported(db: Db, batch: string): Promise<string[]> {
  const rows = await db
    .selectFrom('member_import')
    .select('account_id')
    .where('batch', '=', batch)
    .orderBy('account_id')
    .execute()
  return rows.map((row) => row.account_id)
}

/** Removes an imported account with its membership. False, and nothing happens, when its owner has logged in, paid or given credentials since, or it was merged. */
export async function deleteUnusedMember(db: Db, accountId: string): Promise<boolean> {
  const used = await Promise.all([
    db.selectFrom('session').select('id').where('account_id', '=', accountId).limit(1).executeTakeFirst(),
    db.selectFrom('payment').select('id').where('account_id', '=', accountId).limit(1).executeTakeFirst(),
    db.selectFrom('checkout').select('id').where('person_id', '=', accountId).limit(1).executeTakeFirst(),
    db.selectFrom('credential').select('id').where('account_id', '=', accountId).limit(1).executeTakeFirst(),
    db
      .selectFrom('account_merge')
      .select('id')
      .where((eb) => eb.or([eb('kept_id', '=', accountId), eb('merged_id', '=', accountId)]))
      .limit(1)
      .executeTakeFirst(),
  ])
  if (used.some(Boolean)) return false
  await db.deleteFrom('membership_notice').where('account_id', '=', accountId).execute()
  await db.deleteFrom('membership').where('account_id', '=', accountId).execute()
  await db.deleteFrom('one_time_token').where('subject_id', '=', accountId).execute()
  await db.deleteFrom('login_name').where('account_id', '=', accountId).execute()
  await db.deleteFrom('member_import').where('account_id', '=', accountId).execute()
  await db.deleteFrom('account').where('id', '=', accountId).execute()
  return true
}
