import { type ReadJson, readJson } from '#server/db/schema/column-values.ts'
import type { Db, Tx } from '#server/db/database.ts'
import type { GuestMessageTable } from '#server/db/schema/events-schema.ts'

export type StoredGuestMessage = ReadJson<GuestMessageTable, 'audiences'>

/** Returns false if it was stored before. */
export async function insertGuestMessage(tx: Tx, message: StoredGuestMessage): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('guestMessage')
    .values({ ...message, audiences: JSON.stringify(message.audiences) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export async function findGuestMessage(db: Db, id: string): Promise<StoredGuestMessage | null> {
  const row = await db.selectFrom('guestMessage').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? readJson(row, 'audiences') : null
}

/** Newest first, with the officer's name and the number of copies. */
export async function listGuestMessages(
  db: Db,
  eventId: string,
): Promise<(StoredGuestMessage & { by: string | null; parties: number; accepted: number })[]> {
  const rows = await db
    .selectFrom('guestMessage')
    .leftJoin('account', 'account.id', 'guestMessage.sentBy')
    .selectAll('guestMessage')
    .select((eb) => [
      'account.firstName',
      'account.lastName',
      eb
        .selectFrom('guestMessageCopy')
        .select((inner) => inner.fn.countAll<number | string>().as('count'))
        .whereRef('guestMessageCopy.messageId', '=', 'guestMessage.id')
        .as('parties'),
      eb
        .selectFrom('guestMessageCopy')
        .select((inner) => inner.fn.countAll<number | string>().as('count'))
        .whereRef('guestMessageCopy.messageId', '=', 'guestMessage.id')
        .where('acceptedAt', 'is not', null)
        .as('accepted'),
    ])
    .where('eventId', '=', eventId)
    .orderBy('sentAt', 'desc')
    .execute()
  return rows.map(({ firstName, lastName, parties, accepted, ...row }) => ({
    ...readJson(row, 'audiences'),
    by: firstName === null ? null : `${firstName} ${lastName ?? ''}`.trim(),
    parties: Number(parties ?? 0),
    accepted: Number(accepted ?? 0),
  }))
}

export async function countGuestMessages(db: Db, eventId: string): Promise<number> {
  const { count } = await db
    .selectFrom('guestMessage')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('eventId', '=', eventId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Returns false if the party has a copy. */
export async function insertCopy(tx: Tx, copy: { messageId: string; rsvpId: string }): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('guestMessageCopy')
    .values({ ...copy, acceptedAt: null })
    .onConflict((conflict) => conflict.columns(['messageId', 'rsvpId']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export async function markCopyAccepted(
  db: Db,
  { messageId, rsvpId }: { messageId: string; rsvpId: string },
  now: number,
): Promise<void> {
  await db
    .updateTable('guestMessageCopy')
    .set({ acceptedAt: now })
    .where('messageId', '=', messageId)
    .where('rsvpId', '=', rsvpId)
    .execute()
}

/** Messages are deleted with the RSVPs they went to. */
export async function deleteOldGuestMessages(db: Db, before: number): Promise<void> {
  const old = db.selectFrom('guestMessage').select('id').where('sentAt', '<', before)
  await db.deleteFrom('guestMessageCopy').where('messageId', 'in', old).execute()
  await db.deleteFrom('guestMessage').where('sentAt', '<', before).execute()
}
