import type { Tx } from '#server/db/database.ts'

/** A mark made at a door. */
export interface Mark {
  id: string
  rsvpId: string
  arrived: number
  at: number
}

/** False when this mark was taken before. */
export async function insertMark(
  tx: Tx,
  { id, rsvpId, arrived, at }: Mark,
  { officerId, now }: { officerId: string; now: number },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('check_in')
    .values({ id, rsvp_id: rsvpId, arrived, at, received_at: now, officer_id: officerId })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export async function keepArrival(tx: Tx, { id, rsvpId, arrived, at }: Mark): Promise<void> {
  await tx.updateTable('rsvp').set({ arrived, arrived_at: at, arrived_mark: id }).where('id', '=', rsvpId).execute()
}
