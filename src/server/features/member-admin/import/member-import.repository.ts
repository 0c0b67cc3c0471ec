import type { AccountUse } from '#contract/console/import.ts'
import type { Db } from '#server/db/database.ts'
import type { AuditAction } from '#server/audit-log/audit-actions.rules.ts'
import { queryInChunks } from '#server/db/chunked-queries.ts'
import { lockAccount } from '#server/features/accounts/account.commands.ts'

export async function recordImport(
  db: Db,
  { accountId, batch }: { accountId: string; batch: string },
  now: number,
): Promise<void> {
  await db.insertInto('member_import').values({ account_id: accountId, batch, imported_at: now }).execute()
}

/** Accounts created by a batch that still exist. */
export async function listImportedAccounts(db: Db, batch: string): Promise<string[]> {
  const rows = await db
    .selectFrom('member_import')
    .select('account_id')
    .where('batch', '=', batch)
    .orderBy('account_id')
    .execute()
  return rows.map((row) => row.account_id)
}

/** Audit actions an unused account may have; a pending change of address is deleted with the account. */
const UNUSED_SO_FAR: readonly AuditAction[] = [
  'member.added',
  'member.imported',
  'email.change_asked',
  'email.change_withdrawn',
]

/** Imported accounts that have been used or changed since, with the reason. */
export async function findAccountUses(db: Db, accountIds: readonly string[]): Promise<ReadonlyMap<string, AccountUse>> {
  const uses = new Map<string, AccountUse>()
  const note = (use: AccountUse, ids: readonly string[]) => {
    for (const id of ids) if (!uses.has(id)) uses.set(id, use)
  }
  await queryInChunks(accountIds, async (ids) => {
    // Choosing a password precedes the first login and raises the version, which outlives the session.
    note(
      'logged-in',
      await idsIn(db.selectFrom('account').select('id').where('id', 'in', ids).where('token_version', '>', 1)),
    )
    note('logged-in', await idsIn(db.selectFrom('session').select('account_id as id').where('account_id', 'in', ids)))
    note('paid', await idsIn(db.selectFrom('payment').select('account_id as id').where('account_id', 'in', ids)))
    note('paid', await idsIn(db.selectFrom('checkout').select('person_id as id').where('person_id', 'in', ids)))
    note(
      'gave-credentials',
      await idsIn(db.selectFrom('credential').select('account_id as id').where('account_id', 'in', ids)),
    )
    note('merged', await idsIn(db.selectFrom('account_merge').select('kept_id as id').where('kept_id', 'in', ids)))
    note('merged', await idsIn(db.selectFrom('account_merge').select('merged_id as id').where('merged_id', 'in', ids)))
    // Keep accounts that officers ended or are ending.
    note('changed', await idsIn(db.selectFrom('account_end').select('account_id as id').where('account_id', 'in', ids)))
    note(
      'changed',
      await idsIn(db.selectFrom('account_deletion').select('account_id as id').where('account_id', 'in', ids)),
    )
    note(
      'changed',
      await idsIn(
        db
          .selectFrom('audit')
          .select('subject_id as id')
          .where('subject_id', 'in', ids)
          .where('action', 'not in', UNUSED_SO_FAR),
      ),
    )
    return []
  })
  return uses
}

async function idsIn(query: { execute(): Promise<{ id: string | null }[]> }): Promise<string[]> {
  return (await query.execute()).flatMap(({ id }) => id ?? [])
}

/** Deletes an imported account with its membership. No-op returning false when it was used or changed since. */
export async function deleteUnusedMember(db: Db, accountId: string): Promise<boolean> {
  // Lock, so no password is chosen between the check and the deletion.
  await lockAccount(db, accountId)
  if ((await findAccountUses(db, [accountId])).size > 0) return false
  await db.deleteFrom('membership_reminder').where('account_id', '=', accountId).execute()
  await db.deleteFrom('membership').where('account_id', '=', accountId).execute()
  await db.deleteFrom('complimentary_term').where('account_id', '=', accountId).execute()
  await db.deleteFrom('email_change').where('account_id', '=', accountId).execute()
  await db.deleteFrom('approval').where('subject_id', '=', accountId).execute()
  await db.deleteFrom('one_time_token').where('subject_id', '=', accountId).execute()
  await db.deleteFrom('login_name').where('account_id', '=', accountId).execute()
  await db.deleteFrom('member_import').where('account_id', '=', accountId).execute()
  await db.deleteFrom('account').where('id', '=', accountId).execute()
  return true
}
