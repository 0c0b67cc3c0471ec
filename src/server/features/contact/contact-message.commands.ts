import type { Db } from '#server/db/database.ts'
import { type ContactMessage } from './contact-message.queries.ts'

export async function saveMessage(db: Db, message: Omit<ContactMessage, 'answeredAt'>): Promise<void> {
  const { receivedAt, ...fields } = message
  await db
    .insertInto('contact_message')
    .values({ ...fields, received_at: receivedAt, answered_at: null, assigned_to: null, spam_at: null, version: 1 })
    .execute()
}

/** Returns false if there is no such message or it was already answered. */
export async function markAnswered(db: Db, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('contact_message')
    .set((eb) => ({ answered_at: now, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .where('answered_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
