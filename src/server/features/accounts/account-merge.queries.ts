import { sql } from 'kysely'
import { type ReadJson, readJson } from '#server/db/schema/column-values.ts'
import type { Db } from '#server/db/database.ts'
import type { AccountMergeTable } from '#server/db/schema/member-admin-schema.ts'

export type AccountMerge = ReadJson<Omit<AccountMergeTable, 'reason' | 'undoneBy'>, 'changes'>

export async function findMerge(db: Db, id: string): Promise<AccountMerge | null> {
  const row = await db.selectFrom('accountMerge').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? readJson(row, 'changes') : null
}

/** Returns the merges an account took part in, as the kept or the merged account, newest first. */
export async function listMerges(db: Db, accountId: string): Promise<AccountMerge[]> {
  const rows = await db
    .selectFrom('accountMerge')
    .selectAll()
    .where((eb) => eb.or([eb('keptId', '=', accountId), eb('mergedId', '=', accountId)]))
    .orderBy('mergedAt', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map((row) => readJson(row, 'changes'))
}

/** Returns the email address of the account this one was merged into; null if it was not merged. */
export async function findMergeTargetEmail(db: Db, mergedId: string): Promise<string | null> {
  const row = await db
    .selectFrom('accountMerge')
    .innerJoin('account', 'account.id', 'accountMerge.keptId')
    .select('account.email')
    .where('mergedId', '=', mergedId)
    .where('undoneAt', 'is', null)
    .executeTakeFirst()
  return row?.email ?? null
}

/** Returns the account this one was merged into; null if it was not merged. */
export async function findMergeTarget(db: Db, mergedId: string): Promise<string | null> {
  const row = await db
    .selectFrom('accountMerge')
    .select('keptId')
    .where('mergedId', '=', mergedId)
    .where('undoneAt', 'is', null)
    .executeTakeFirst()
  return row?.keptId ?? null
}

/** Returns the ids of all accounts merged into this one, directly or through another merge. */
export async function listMergedAccountIds(db: Db, keptId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('accountMerge')
    .select('mergedId')
    .where('keptId', '=', keptId)
    .where('undoneAt', 'is', null)
    .execute()
  const direct = rows.map((row) => row.mergedId)
  const further = await Promise.all(direct.map((id) => listMergedAccountIds(db, id)))
  return [...direct, ...further.flat()]
}

/** SQL condition: the account was merged into another one. */
export const isMergedAccount = sql<boolean>`exists (
  select 1 from account_merge where account_merge.merged_id = account.id and account_merge.undone_at is null)`
