import type { Db } from '#server/db/database.ts'
import { type ContactMessage } from './contact-message.queries.ts'

export async function saveMessage(db: Db, message: Omit<ContactMessage, 'answeredAt'>): Promise<void> {
  await db
    .insertInto('contactMessage')
    .values({ ...message, answeredAt: null, assignedTo: null, spamAt: null, version: 1 })
    .execute()
}

/** Returns false if there is no such message or it was already answered. */
export async function markAnswered(db: Db, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('contactMessage')
    .set((eb) => ({ answeredAt: now, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .where('answeredAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
