import { queryInChunks } from '#server/db/chunked-queries.ts'
import type { Db, Tx } from '#server/db/database.ts'
import type { SubscriberImportRowTable, SubscriberImportTable } from '#server/db/schema/newsletter-schema.ts'
import { readJson, writeJson } from '#server/db/schema/column-values.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'
import type { Subscriber } from '../subscribers/subscriber.queries.ts'

// Each value is a query parameter, and database engines limit how many a query may have.
const ROWS_PER_INSERT = 100

export type SubscriberImportRow = Omit<SubscriberImportRowTable, 'importId'>

/** Subscribers in any state, by their address in lower case. */
export async function findReaders(
  db: Db,
  emails: readonly string[],
): Promise<Map<string, Pick<Subscriber, 'id' | 'state' | 'confirmedAt'>>> {
  const rows = await queryInChunks(emails.map(nameKey), (some) =>
    db
      .selectFrom('subscriber')
      .select(['emailKey', 'id', 'state', 'confirmedAt'])
      .where('emailKey', 'in', some)
      .execute(),
  )
  return new Map(rows.map(({ emailKey, ...reader }) => [emailKey, reader]))
}

/** Why addresses are suppressed, by their hash. */
export async function findSuppressionReasons(db: Db, emailHashes: readonly string[]): Promise<Map<string, string>> {
  const rows = await queryInChunks(emailHashes, (some) =>
    db.selectFrom('suppression').select(['emailHash', 'reason']).where('emailHash', 'in', some).execute(),
  )
  return new Map(rows.map(({ emailHash, reason }) => [emailHash, reason]))
}

/** Ends subscriptions, as their owners did elsewhere. No email. */
export async function endReader(
  tx: Tx,
  { id, state, now }: { id: string; state: Subscriber['state']; now: number },
): Promise<void> {
  await tx.updateTable('subscriber').set({ state, leftAt: now }).where('id', '=', id).execute()
}

export async function saveSubscriberImport(
  tx: Tx,
  file: Omit<SubscriberImportTable, 'counts' | 'undoneAt' | 'undoneBy'> & { counts: object },
  rows: readonly SubscriberImportRow[],
): Promise<void> {
  await tx
    .insertInto('subscriberImport')
    .values({ ...writeJson(file, 'counts'), undoneAt: null, undoneBy: null })
    .execute()
  const values = rows.map((row) => ({ ...row, importId: file.id }))
  await queryInChunks(values, (some) => tx.insertInto('subscriberImportRow').values(some).execute(), ROWS_PER_INSERT)
}

/** Newest first. */
export async function listSubscriberImports(db: Db, limit: number) {
  const rows = await db.selectFrom('subscriberImport').selectAll().orderBy('id', 'desc').limit(limit).execute()
  return rows.map((row) => readJson(row, 'counts'))
}

export async function listImportedReaders(db: Db, importId: string): Promise<SubscriberImportRow[]> {
  return db
    .selectFrom('subscriberImportRow')
    .select(['emailHash', 'act', 'subscriberId', 'stateBefore', 'reason', 'reasonBefore'])
    .where('importId', '=', importId)
    .orderBy('emailHash')
    .execute()
}

/** Marks an import as undone; true for exactly one caller. */
export async function beginSubscriberUndo(
  tx: Tx,
  id: string,
  { by, now }: { by: string; now: number },
): Promise<Pick<SubscriberImportTable, 'filename' | 'importedAt'> | null> {
  const row = await tx
    .updateTable('subscriberImport')
    .set({ undoneAt: now, undoneBy: by })
    .where('id', '=', id)
    .where('undoneAt', 'is', null)
    .returning(['filename', 'importedAt'])
    .executeTakeFirst()
  return row ?? null
}

/** Deletes a subscriber that an import added, unless the owner acted since or something was sent. True if it was deleted. */
export async function deleteAddedReader(tx: Tx, id: string, importedAt: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('subscriber')
    .where('id', '=', id)
    .where('state', '=', 'subscribed')
    .where('confirmedAt', 'is', null)
    .where('importedAt', '=', importedAt)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb.selectFrom('delivery').select('delivery.id').whereRef('delivery.recipientId', '=', 'subscriber.id'),
        ),
      ),
    )
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Gives the suppression of an address the reason that it had before an import, unless that changed since. True if it did. */
export async function restoreSuppression(
  tx: Tx,
  {
    emailHash,
    reason,
    before,
    importedAt,
  }: { emailHash: string; reason: string; before: string | null; importedAt: number },
): Promise<boolean> {
  if (before !== null) {
    const { numUpdatedRows } = await tx
      .updateTable('suppression')
      .set({ reason: before })
      .where('emailHash', '=', emailHash)
      .where('reason', '=', reason)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }
  const { numDeletedRows } = await tx
    .deleteFrom('suppression')
    .where('emailHash', '=', emailHash)
    .where('reason', '=', reason)
    .where('createdAt', '=', importedAt)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Gives a subscriber the state before an import ended the subscription, unless it changed since. True if it did. */
export async function restoreReader(
  tx: Tx,
  {
    id,
    state,
    before,
    endedAt,
  }: { id: string; state: Subscriber['state']; before: Subscriber['state']; endedAt: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('subscriber')
    .set({ state: before, leftAt: null })
    .where('id', '=', id)
    .where('state', '=', state)
    .where('leftAt', '=', endedAt)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Without its rows, an import cannot be undone. */
export async function deleteOldSubscriberImports(db: Db, before: number): Promise<void> {
  const old = db.selectFrom('subscriberImport').select('id').where('importedAt', '<', before)
  await db.deleteFrom('subscriberImportRow').where('importId', 'in', old).execute()
  await db.deleteFrom('subscriberImport').where('importedAt', '<', before).execute()
}
