import type { Db, Tx } from '#server/db/database.ts'
import { writeJson, readJson } from '#server/db/schema/column-values.ts'
import type { PaymentBatchTable } from '#server/db/schema/money-schema.ts'

/** Returns false if this batch was recorded before. Its receipts are written at the end of the transaction. */
export async function insertBatch(tx: Tx, batch: Omit<PaymentBatchTable, 'receipts'>): Promise<boolean> {
  const row = await tx
    .insertInto('paymentBatch')
    .values(writeJson({ ...batch, receipts: [] }, 'receipts'))
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

type Receipts = { kind: 'dues' | 'seats' | 'sponsorship'; id: string; receiptNumber: string }[]

export async function setBatchReceipts(tx: Tx, id: string, receipts: Receipts): Promise<void> {
  await tx.updateTable('paymentBatch').set(writeJson({ receipts }, 'receipts')).where('id', '=', id).execute()
}

export async function findBatchReceipts(db: Db, id: string): Promise<Receipts | null> {
  const row = await db.selectFrom('paymentBatch').select('receipts').where('id', '=', id).executeTakeFirst()
  return row ? readJson(row, 'receipts').receipts : null
}

/** The levels of accounts, by account. */
export async function findLevelsOf(
  db: Db,
  accountIds: readonly string[],
): Promise<Map<string, { levelKey: string; level: string }>> {
  if (accountIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('membership')
    .innerJoin('membershipLevel', 'membershipLevel.key', 'membership.levelKey')
    .select(['membership.accountId', 'membership.levelKey', 'membershipLevel.name as level'])
    .where('membership.isCurrent', '=', 1)
    .where('membership.accountId', 'in', [...accountIds])
    .execute()
  return new Map(rows.map(({ accountId, ...level }) => [accountId, level]))
}

/** The levels of members, by the key of their email (`nameKey`). */
export async function findLevelsByEmail(db: Db, emailKeys: readonly string[]): Promise<Map<string, string>> {
  if (emailKeys.length === 0) return new Map()
  const rows = await db
    .selectFrom('membership')
    .innerJoin('account', 'account.id', 'membership.accountId')
    .select(['account.emailKey', 'membership.levelKey'])
    .where('membership.isCurrent', '=', 1)
    .where('account.emailKey', 'in', [...emailKeys])
    .execute()
  return new Map(rows.map(({ emailKey, levelKey }) => [emailKey, levelKey]))
}

/** The keys only prevent that a request sent twice records twice. */
export async function deleteOldBatches(db: Db, before: number): Promise<void> {
  await db.deleteFrom('paymentBatch').where('recordedAt', '<', before).execute()
}
