import { sql } from 'kysely'
import type { Db, Tx } from '#server/db/database.ts'
import { queryInChunks } from '#server/db/chunked-queries.ts'
import type { Level } from '#server/features/levels/level.queries.ts'
import { findCurrentMembership } from '#server/features/memberships/membership.queries.ts'
import { isManualReference } from '#server/features/orders/payments/manual-reference.queries.ts'
import type { PaymentImportTable } from '#server/db/schema/money-schema.ts'

export async function savePaymentImport(
  tx: Tx,
  file: Omit<PaymentImportTable, 'undoneAt' | 'undoneBy' | 'payments'>,
  paymentIds: readonly string[],
): Promise<void> {
  await tx
    .insertInto('paymentImport')
    .values({ ...file, payments: paymentIds.length, undoneAt: null, undoneBy: null })
    .execute()
  const rows = paymentIds.map((paymentId) => ({ importId: file.id, paymentId }))
  await queryInChunks(rows, (some) => tx.insertInto('paymentImportRow').values(some).execute(), 100)
}

/** Newest first. */
export async function listPaymentImportFiles(db: Db, limit: number): Promise<PaymentImportTable[]> {
  return db.selectFrom('paymentImport').selectAll().orderBy('id', 'desc').limit(limit).execute()
}

/** Marks an import as undone, for exactly one caller; null for others. */
export async function beginPaymentUndo(
  tx: Tx,
  id: string,
  { by, now }: { by: string; now: number },
): Promise<{ filename: string; payments: number } | null> {
  const file = await tx
    .updateTable('paymentImport')
    .set({ undoneAt: now, undoneBy: by })
    .where('id', '=', id)
    .where('undoneAt', 'is', null)
    .returning(['filename', 'payments'])
    .executeTakeFirst()
  return file ?? null
}

export async function hasPaymentImport(db: Db, id: string): Promise<boolean> {
  return (await db.selectFrom('paymentImport').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

/** Whether an account has a payment with one of these references or this id at the card provider, or one of this amount in a span of instants, that is not voided. */
export async function hasSamePayment(
  db: Db,
  {
    accountId,
    references,
    providerId,
    amount,
    from,
    to,
  }: {
    accountId: string
    references: readonly string[]
    providerId: string
    amount: number
    from: number
    to: number
  },
): Promise<boolean> {
  const row = await db
    .selectFrom('payment')
    .select('id')
    .where('accountId', '=', accountId)
    .where('voidedAt', 'is', null)
    .where((eb) =>
      eb.or([
        ...references.map((reference) => isManualReference('reference', reference)),
        eb('reference', '=', providerId),
        eb('paymentIntentId', '=', providerId),
        eb.and([eb('amount', '=', amount), eb('paidAt', '>=', from), eb('paidAt', '<', to)]),
      ]),
    )
    .executeTakeFirst()
  return row !== undefined
}

/** The payments of an import that still exist, of one account or by account. */
export async function listImportedPayments(
  tx: Tx,
  importId: string,
  accountId?: string,
): Promise<{ id: string; accountId: string; paidAt: number; recordedAt: number }[]> {
  return tx
    .selectFrom('paymentImportRow')
    .innerJoin('payment', 'payment.id', 'paymentImportRow.paymentId')
    .select(['payment.id', 'payment.accountId', 'payment.paidAt', 'payment.recordedAt'])
    .where('paymentImportRow.importId', '=', importId)
    .$if(accountId !== undefined, (query) => query.where('payment.accountId', '=', accountId ?? ''))
    .orderBy('payment.accountId')
    .orderBy('payment.id')
    .execute()
}

/** Whether the statement of a calendar year was emailed since an instant, or is about to be. */
export async function hasStatementSince(
  tx: Tx,
  { accountId, year, since }: { accountId: string; year: number; since: number },
): Promise<boolean> {
  const row = await tx
    .selectFrom('statementDelivery')
    .select('year')
    .where('accountId', '=', accountId)
    .where('year', '=', year)
    .where('skippedAt', 'is', null)
    .where((eb) => eb.or([eb('sentAt', 'is', null), eb('sentAt', '>=', since)]))
    .executeTakeFirst()
  return row !== undefined
}

/** Deletes an imported payment with its ledger entry, unless something happened to it since. True if it was deleted. */
export async function deleteImportedPayment(tx: Tx, id: string): Promise<boolean> {
  // Locks the row (PostgreSQL): a void or refund that runs meanwhile is seen, or finds no payment.
  await tx
    .updateTable('payment')
    .set({ id: sql`id` })
    .where('id', '=', id)
    .execute()
  const untouched = await tx
    .selectFrom('payment')
    .select('id')
    .where('id', '=', id)
    .where('voidedAt', 'is', null)
    .where('amountRefunded', '=', 0)
    .where('refundAsked', '=', 0)
    .where((eb) =>
      eb.and([
        eb.not(
          eb.exists(
            eb.selectFrom('paymentCredit').select('paymentId').whereRef('paymentCredit.paymentId', '=', 'payment.id'),
          ),
        ),
        eb.not(eb.exists(eb.selectFrom('refund').select('refund.id').whereRef('refund.paymentId', '=', 'payment.id'))),
      ]),
    )
    .executeTakeFirst()
  if (!untouched) return false
  await tx.deleteFrom('ledgerEntry').where('paymentId', '=', id).execute()
  await tx.deleteFrom('payment').where('id', '=', id).execute()
  return true
}

/** Without its rows, an import cannot be undone. */
export async function deleteOldPaymentImports(db: Db, before: number): Promise<void> {
  const old = db.selectFrom('paymentImport').select('id').where('importedAt', '<', before)
  await db.deleteFrom('paymentImportRow').where('importId', 'in', old).execute()
  await db.deleteFrom('paymentImport').where('importedAt', '<', before).execute()
}

/** The level with this key or name; for an empty text, that of the member. */
export async function levelOf(
  tx: Tx,
  accountId: string,
  written: string,
  levels: ReadonlyMap<string, Level>,
): Promise<Level | null> {
  const text = written.toLowerCase()
  if (text !== '')
    return (
      [...levels.values()].find(({ key, name }) => key.toLowerCase() === text || name.toLowerCase() === text) ?? null
    )
  const current = await findCurrentMembership(tx, accountId)
  return current ? (levels.get(current.levelKey) ?? null) : null
}
