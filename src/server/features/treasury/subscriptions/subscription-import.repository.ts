import { sql } from 'kysely'
import { queryInChunks } from '#server/db/chunked-queries.ts'
import type { Db, Tx } from '#server/db/database.ts'
import { readJson, type ReadJson } from '#server/db/schema/column-values.ts'
import type { SubscriptionImportRowTable, SubscriptionImportTable } from '#server/db/schema/money-schema.ts'
import type { AfterImport, BeforeImport } from './subscription-undo.rules.ts'

/** A subscription that was reviewed and is to be imported. */
export type WantedSubscription = Pick<
  SubscriptionImportRowTable,
  'subscriptionId' | 'accountId' | 'customerId' | 'levelKey' | 'amount'
>

/** Subscriptions that a membership has, or that an import is about to give it. */
export async function listKnownSubscriptions(db: Db): Promise<ReadonlySet<string>> {
  const held = await db
    .selectFrom('membership')
    .select('stripeSubscriptionId as id')
    .where('stripeSubscriptionId', 'is not', null)
    .execute()
  const waiting = await db
    .selectFrom('subscriptionImportRow')
    .select('subscriptionId as id')
    .where('state', '=', 'waiting')
    .execute()
  return new Set([...held, ...waiting].map(({ id }) => id ?? ''))
}

export async function saveSubscriptionImport(
  tx: Tx,
  given: Pick<SubscriptionImportTable, 'id' | 'importedAt' | 'importedBy'>,
  wanted: readonly WantedSubscription[],
): Promise<void> {
  await tx
    .insertInto('subscriptionImport')
    .values({ ...given, subscriptions: wanted.length, undoneAt: null, undoneBy: null })
    .execute()
  const empty = { reason: null, membershipId: null, beforeImport: null, afterImport: null, doneAt: null }
  const rows = wanted.map((one) => ({ ...one, ...empty, importId: given.id, state: 'waiting' as const }))
  await queryInChunks(rows, (some) => tx.insertInto('subscriptionImportRow').values(some).execute(), 50)
}

/** A row that is still to be imported, and the officer who imports it; null if it is done. */
export async function findWaitingRow(
  db: Db,
  { importId, subscriptionId }: { importId: string; subscriptionId: string },
): Promise<(WantedSubscription & { importId: string; importedBy: string }) | null> {
  const row = await db
    .selectFrom('subscriptionImportRow')
    .innerJoin('subscriptionImport', 'subscriptionImport.id', 'subscriptionImportRow.importId')
    .select(['importId', 'subscriptionId', 'accountId', 'customerId', 'levelKey', 'amount', 'importedBy'])
    .where('importId', '=', importId)
    .where('subscriptionId', '=', subscriptionId)
    .where('state', '=', 'waiting')
    .where('undoneAt', 'is', null)
    .executeTakeFirst()
  return row ?? null
}

interface RowKey {
  importId: string
  subscriptionId: string
}

export async function markRowImported(
  tx: Tx,
  key: RowKey,
  done: { membershipId: string; before: BeforeImport; after: AfterImport; now: number },
): Promise<void> {
  await updateRow(tx, key, {
    state: 'imported',
    membershipId: done.membershipId,
    beforeImport: JSON.stringify(done.before),
    afterImport: JSON.stringify(done.after),
    doneAt: done.now,
  })
}

export async function markRow(
  tx: Tx,
  key: RowKey,
  { state, reason = null, now }: { state: 'refused' | 'undone' | 'kept'; reason?: string | null; now: number },
): Promise<void> {
  await updateRow(tx, key, { state, reason, doneAt: now })
}

async function updateRow(
  tx: Tx,
  { importId, subscriptionId }: RowKey,
  set: Partial<SubscriptionImportRowTable>,
): Promise<void> {
  await tx
    .updateTable('subscriptionImportRow')
    .set(set)
    .where('importId', '=', importId)
    .where('subscriptionId', '=', subscriptionId)
    .execute()
}

/** Remembers a payment that an import recorded. */
export async function saveImportedPayment(tx: Tx, importId: string, paymentId: string): Promise<void> {
  await tx.insertInto('paymentImportRow').values({ importId, paymentId }).execute()
}

/** Newest first. */
export async function listImports(db: Db, limit: number): Promise<SubscriptionImportTable[]> {
  return db.selectFrom('subscriptionImport').selectAll().orderBy('id', 'desc').limit(limit).execute()
}

export async function countRows(db: Db, importId: string): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom('subscriptionImportRow')
    .select(['state', sql<number>`cast(count(*) as bigint)`.as('n')])
    .where('importId', '=', importId)
    .groupBy('state')
    .execute()
  return Object.fromEntries(rows.map(({ state, n }) => [state, Number(n)]))
}

/** Subscriptions that were not imported or that an undo kept, with their members. */
export async function listExceptions(
  db: Db,
  importId: string,
  limit: number,
): Promise<{ accountId: string; firstName: string | null; lastName: string | null; reason: string | null }[]> {
  return db
    .selectFrom('subscriptionImportRow')
    .leftJoin('account', 'account.id', 'subscriptionImportRow.accountId')
    .select(['accountId', 'firstName', 'lastName', 'reason'])
    .where('importId', '=', importId)
    .where('state', 'in', ['refused', 'kept'])
    .orderBy('subscriptionId')
    .limit(limit)
    .execute()
}

/** Marks an import as undone, for exactly one caller; false for others. */
export async function beginUndo(tx: Tx, id: string, { by, now }: { by: string; now: number }): Promise<boolean> {
  const row = await tx
    .updateTable('subscriptionImport')
    .set({ undoneAt: now, undoneBy: by })
    .where('id', '=', id)
    .where('undoneAt', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function hasImport(db: Db, id: string): Promise<boolean> {
  return (await db.selectFrom('subscriptionImport').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

/** The rows that an undo considers, by account, so that accounts are locked in one order. */
export async function listRowsToUndo(
  tx: Tx,
  importId: string,
): Promise<Pick<SubscriptionImportRowTable, 'importId' | 'subscriptionId' | 'accountId'>[]> {
  return rowsToUndo(tx, importId).select(['importId', 'subscriptionId', 'accountId']).orderBy('accountId').execute()
}

export type RowToUndo = ReadJson<SubscriptionImportRowTable, 'beforeImport' | 'afterImport'>

/** A row as it is once its account is locked: it may have been imported, or refused, since it was listed. */
export async function findRowToUndo(tx: Tx, { importId, subscriptionId }: RowKey): Promise<RowToUndo | null> {
  const query = rowsToUndo(tx, importId).selectAll().where('subscriptionId', '=', subscriptionId)
  const row = await query.executeTakeFirst()
  return row ? readJson(row, 'beforeImport', 'afterImport') : null
}

function rowsToUndo(tx: Tx, importId: string) {
  return tx
    .selectFrom('subscriptionImportRow')
    .where('importId', '=', importId)
    .where('state', 'in', ['waiting', 'imported'])
}

/** Without its rows, an import cannot be undone. */
export async function deleteOldSubscriptionImports(db: Db, before: number): Promise<void> {
  const old = db.selectFrom('subscriptionImport').select('id').where('importedAt', '<', before)
  await db.deleteFrom('paymentImportRow').where('importId', 'in', old).execute()
  await db.deleteFrom('subscriptionImportRow').where('importId', 'in', old).execute()
  await db.deleteFrom('subscriptionImport').where('importedAt', '<', before).execute()
}
