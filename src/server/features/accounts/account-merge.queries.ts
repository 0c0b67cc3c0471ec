import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import type { AccountMergeTable } from '#server/db/membership-schema.ts'
import type { RowChange } from './row-change.repository.ts'

export interface AccountMerge {
  id: string
  keptId: string
  mergedId: string
  officerId: string
  mergedAt: number
  /** Empty once it is too late to undo it. */
  changes: RowChange[]
  /** Fingerprint of how the kept account was signed in to; null for merges of older releases. */
  keptSignIn: string | null
  undoneAt: number | null
}

export async function saveMerge(
  db: Db,
  merge: Omit<AccountMerge, 'mergedAt' | 'undoneAt'> & { reason: string },
  now: number,
): Promise<void> {
  await db
    .insertInto('account_merge')
    .values({
      id: merge.id,
      kept_id: merge.keptId,
      merged_id: merge.mergedId,
      officer_id: merge.officerId,
      reason: merge.reason,
      merged_at: now,
      changes: JSON.stringify(merge.changes),
      undone_at: null,
      undone_by: null,
      kept_sign_in: merge.keptSignIn,
    })
    .execute()
}

export async function findMerge(db: Db, id: string): Promise<AccountMerge | null> {
  const row = await db.selectFrom('account_merge').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? toMerge(row) : null
}

/** Those an account stayed in or went into, newest first. */
export async function listMerges(db: Db, accountId: string): Promise<AccountMerge[]> {
  const rows = await db
    .selectFrom('account_merge')
    .selectAll()
    .where((eb) => eb.or([eb('kept_id', '=', accountId), eb('merged_id', '=', accountId)]))
    .orderBy('merged_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(toMerge)
}

/** The address of the account somebody's went into; null when it is one of its own. */
export async function findKeptAddress(db: Db, mergedId: string): Promise<string | null> {
  const row = await db
    .selectFrom('account_merge')
    .innerJoin('account', 'account.id', 'account_merge.kept_id')
    .select('account.email')
    .where('merged_id', '=', mergedId)
    .where('undone_at', 'is', null)
    .executeTakeFirst()
  return row?.email ?? null
}

/** The accounts that went into one, also by way of another. */
export async function listMergedInto(db: Db, keptId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('account_merge')
    .select('merged_id')
    .where('kept_id', '=', keptId)
    .where('undone_at', 'is', null)
    .execute()
  const direct = rows.map((row) => row.merged_id)
  const further = await Promise.all(direct.map((id) => listMergedInto(db, id)))
  return [...direct, ...further.flat()]
}

/** None of an account's merges can be undone any more, and what was kept for that is forgotten. */
export async function settleMerges(db: Db, keptIds: readonly string[]): Promise<void> {
  await db.updateTable('account_merge').set({ changes: '[]' }).where('kept_id', 'in', keptIds).execute()
}

/** True for the one call that undoes it. */
export async function markUndone(db: Db, id: string, { by, now }: { by: string; now: number }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('account_merge')
    .set({ undone_at: now, undone_by: by, changes: '[]' })
    .where('id', '=', id)
    .where('undone_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** What was kept for undoing holds addresses: it goes when that is over. */
export async function forgetMergeChanges(db: Db, before: number): Promise<void> {
  await db
    .updateTable('account_merge')
    .set({ changes: '[]' })
    .where('merged_at', '<', before)
    .where('changes', '<>', '[]')
    .execute()
}

/** A condition: the account went into another one. */
export const isMergedAccount = sql<boolean>`exists (
  select 1 from account_merge where account_merge.merged_id = account.id and account_merge.undone_at is null)`

function toMerge(row: AccountMergeTable): AccountMerge {
  return {
    id: row.id,
    keptId: row.kept_id,
    mergedId: row.merged_id,
    officerId: row.officer_id,
    mergedAt: row.merged_at,
    changes: JSON.parse(row.changes) as RowChange[],
    keptSignIn: row.kept_sign_in,
    undoneAt: row.undone_at,
  }
}
