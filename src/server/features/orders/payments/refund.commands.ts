import type { Tx } from '#server/db/database.ts'
import { newId } from '#server/lib/ids.ts'
import type { Refund } from './refund.queries.ts'

export type NewRefund = Pick<Refund, 'kind' | 'paymentId' | 'amount' | 'reason' | 'askedBy'> &
  Partial<Pick<Refund, 'note' | 'method' | 'reference' | 'doneAt'>>

/** Returns its id. */
export async function insertRefund(tx: Tx, refund: NewRefund, now: number): Promise<string> {
  const id = newId(now)
  const row = { note: null, method: 'card' as const, reference: null, doneAt: null, ...refund }
  await tx
    .insertInto('refund')
    .values({ ...row, id, askedAt: now, refusedAt: null })
    .execute()
  return id
}

/** Returns false if it was already marked. */
export async function markRefundDone(tx: Tx, id: string, now: number): Promise<boolean> {
  return mark(tx, id, { doneAt: now })
}

/** The provider rejected it: it no longer counts. Returns false if it was already made or refused. */
export async function markRefundRefused(tx: Tx, id: string, now: number): Promise<boolean> {
  return mark(tx, id, { refusedAt: now })
}

async function mark(tx: Tx, id: string, change: { doneAt: number } | { refusedAt: number }): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('refund')
    .set(change)
    .where('id', '=', id)
    .where('doneAt', 'is', null)
    .where('refusedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Marks the completed refunds of a payment as open again. Returns their ids. */
export async function reopenRefunds(tx: Tx, paymentId: string, now: number): Promise<string[]> {
  const rows = await tx
    .updateTable('refund')
    .set({ doneAt: null, askedAt: now })
    .where('paymentId', '=', paymentId)
    .where('doneAt', 'is not', null)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}
