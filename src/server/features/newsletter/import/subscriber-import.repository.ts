import { queryInChunks } from '#server/db/chunked-queries.ts'
import type { Db, Tx } from '#server/db/database.ts'
import type {
  SubscriberImportRowTable,
  SubscriberImportTable,
  SuppressionTable,
} from '#server/db/schema/newsletter-schema.ts'
import { readJson, writeJson } from '#server/db/schema/column-values.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'
import type { Subscriber } from '../subscribers/subscriber.queries.ts'

// Each value is a query parameter, and database engines limit how many a query may have.
const ROWS_PER_INSERT = 100

export type SubscriberImportRow = Omit<SubscriberImportRowTable, 'importId' | 'touchedAt'>

export type BlockingImport = Pick<
  SubscriberImportRowTable,
  'importId' | 'subscriberId' | 'stateBefore' | 'reasonBefore' | 'touchedAt'
> &
  Pick<SubscriberImportTable, 'importedAt' | 'undoneAt'> & { reason: NonNullable<SubscriberImportRowTable['reason']> }

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
  const values = rows.map((row) => ({ ...row, importId: file.id, touchedAt: null }))
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
    // A reader who asked for the newsletter since wants it without the import too.
    .where('askedAt', '=', importedAt)
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

/** The suppression of an address, locked until the transaction ends; null if there is none. */
export async function lockSuppression(tx: Tx, emailHash: string): Promise<Omit<SuppressionTable, 'emailHash'> | null> {
  const row = await tx
    .updateTable('suppression')
    .set((eb) => ({ reason: eb.ref('reason') }))
    .where('emailHash', '=', emailHash)
    .returning(['reason', 'createdAt'])
    .executeTakeFirst()
  return row ?? null
}

/** What imports said about an address, oldest first, with those that were undone. */
export async function listBlockingImports(tx: Tx, emailHash: string): Promise<BlockingImport[]> {
  return tx
    .selectFrom('subscriberImportRow')
    .innerJoin('subscriberImport', 'subscriberImport.id', 'subscriberImportRow.importId')
    .select(['importId', 'importedAt', 'undoneAt', 'touchedAt', 'subscriberId', 'stateBefore'])
    .select((eb) => [eb.ref('reason').$notNull().as('reason'), 'reasonBefore'])
    .where('emailHash', '=', emailHash)
    .where('reason', 'is not', null)
    .orderBy('importedAt')
    .orderBy('importId')
    .execute()
}

export async function setSuppressionReason(tx: Tx, emailHash: string, reason: string | null): Promise<void> {
  if (reason === null) await tx.deleteFrom('suppression').where('emailHash', '=', emailHash).execute()
  else await tx.updateTable('suppression').set({ reason }).where('emailHash', '=', emailHash).execute()
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
