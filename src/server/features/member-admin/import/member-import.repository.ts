import { deleteFromDirectory } from '#server/features/member-record/directory-words.commands.ts'
import type { AccountUse } from '#contract/console/import.ts'
import type { Db } from '#server/db/database.ts'
import type { AuditAction } from '#server/audit-log/audit-actions.rules.ts'
import { queryInChunks } from '#server/db/chunked-queries.ts'
import { deleteEntriesOf } from '#server/features/member-record/record-value.commands.ts'
import { lockAccount } from '#server/features/accounts/account.commands.ts'

export async function recordImport(
  db: Db,
  { accountId, batch }: { accountId: string; batch: string },
  now: number,
): Promise<void> {
  await db.insertInto('memberImport').values({ accountId, batch, importedAt: now }).execute()
}

/** Accounts created by a batch that still exist. */
export async function listImportedAccounts(db: Db, batch: string): Promise<string[]> {
  const rows = await db
    .selectFrom('memberImport')
    .select('accountId')
    .where('batch', '=', batch)
    .orderBy('accountId')
    .execute()
  return rows.map((row) => row.accountId)
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
      await idsIn(db.selectFrom('account').select('id').where('id', 'in', ids).where('tokenVersion', '>', 1)),
    )
    note('logged-in', await idsIn(db.selectFrom('session').select('accountId as id').where('accountId', 'in', ids)))
    note('paid', await idsIn(db.selectFrom('payment').select('accountId as id').where('accountId', 'in', ids)))
    note('paid', await idsIn(db.selectFrom('checkout').select('personId as id').where('personId', 'in', ids)))
    note(
      'gave-credentials',
      await idsIn(db.selectFrom('credential').select('accountId as id').where('accountId', 'in', ids)),
    )
    note('merged', await idsIn(db.selectFrom('accountMerge').select('keptId as id').where('keptId', 'in', ids)))
    note('merged', await idsIn(db.selectFrom('accountMerge').select('mergedId as id').where('mergedId', 'in', ids)))
    // Keep accounts that officers ended or are ending.
    note('changed', await idsIn(db.selectFrom('accountEnd').select('accountId as id').where('accountId', 'in', ids)))
    note(
      'changed',
      await idsIn(db.selectFrom('accountDeletion').select('accountId as id').where('accountId', 'in', ids)),
    )
    note(
      'changed',
      await idsIn(
        db
          .selectFrom('audit')
          .select('subjectId as id')
          .where('subjectId', 'in', ids)
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
  await db.deleteFrom('membershipReminder').where('accountId', '=', accountId).execute()
  await db.deleteFrom('membership').where('accountId', '=', accountId).execute()
  const terms = db.selectFrom('complimentaryTerm').select('id').where('accountId', '=', accountId)
  await db.deleteFrom('ledgerEntry').where('paymentId', 'in', terms).execute()
  await db.deleteFrom('complimentaryTerm').where('accountId', '=', accountId).execute()
  await db.deleteFrom('emailChange').where('accountId', '=', accountId).execute()
  await db.deleteFrom('approval').where('subjectId', '=', accountId).execute()
  await db.deleteFrom('oneTimeToken').where('subjectId', '=', accountId).execute()
  await db.deleteFrom('loginName').where('accountId', '=', accountId).execute()
  await deleteEntriesOf(db, accountId)
  await deleteFromDirectory(db, accountId)
  await db.deleteFrom('memberImport').where('accountId', '=', accountId).execute()
  await db.deleteFrom('account').where('id', '=', accountId).execute()
  return true
}
