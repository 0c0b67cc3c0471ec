import type { Tx } from '#server/db/database.ts'
import type { CheckInTable } from '#server/db/schema/events-schema.ts'

/** A check-in recorded on a device; `arrived` is 0 when it was undone. */
export type CheckIn = Pick<CheckInTable, 'id' | 'rsvpId' | 'arrived' | 'at'>

/** Returns false if this check-in is already stored. */
export async function insertCheckIn(
  tx: Tx,
  { id, rsvpId, arrived, at }: CheckIn,
  { officerId, now }: { officerId: string; now: number },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('checkIn')
    .values({ id, rsvpId, arrived, at, receivedAt: now, officerId })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export async function setArrival(tx: Tx, { id, rsvpId, arrived, at }: CheckIn): Promise<void> {
  await tx.updateTable('rsvp').set({ arrived, arrivedAt: at, arrivedMark: id }).where('id', '=', rsvpId).execute()
}
