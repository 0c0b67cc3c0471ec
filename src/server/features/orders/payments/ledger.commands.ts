import type { Db } from '#server/db/database.ts'
import type { LedgerEntryTable } from '#server/db/schema/money-schema.ts'
import { newId } from '#server/lib/ids.ts'
import { refundedAmount, type Returned } from './refunded-amount.rules.ts'

export type LedgerEntry = Omit<LedgerEntryTable, 'id' | 'recordedAt'>

/** What identifies the payment of an entry. */
export type LedgerPayment = Pick<LedgerEntry, 'kind' | 'paymentId' | 'currency' | 'method'>

/** Writes an entry. Call in the transaction of what it records. */
export async function addLedgerEntry(db: Db, entry: LedgerEntry, now: number): Promise<void> {
  await db
    .insertInto('ledgerEntry')
    .values({ id: newId(now), ...entry, recordedAt: now })
    .execute()
}

/**
 * Writes what a refund, a dispute or the canceling of a record changed about the amount that is kept; nothing if that is the same.
 * @param at when it counts
 */
export async function addReturnedEntry(
  db: Db,
  payment: LedgerPayment,
  { before, after, at }: { before: Returned; after: Returned; at: number },
  now: number,
): Promise<void> {
  const amount = refundedAmount(before) - refundedAmount(after)
  if (amount === 0) return
  const isVoid = (before.voidedAt ?? null) !== (after.voidedAt ?? null)
  const isDispute = (before.dispute === 'lost') !== (after.dispute === 'lost')
  await addLedgerEntry(
    db,
    { ...payment, type: isVoid ? 'canceled' : isDispute ? 'dispute' : 'refund', amount, at },
    now,
  )
}
