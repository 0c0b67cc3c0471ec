import type { Db } from '#server/db/database.ts'
import type { ContactMessageTable } from '#server/db/schema/inbox-schema.ts'
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

/** Returns false if the version has changed or the message was deleted. */
export async function changeMessage(
  db: Db,
  { id, version }: { id: string; version: number },
  change: Partial<Pick<ContactMessageTable, 'answeredAt' | 'assignedTo' | 'spamAt'>>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('contactMessage')
    .set({ ...change, version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function addAnswer(
  db: Db,
  { id, messageId, text, sentBy, now }: { id: string; messageId: string; text: string; sentBy: string; now: number },
): Promise<void> {
  await db.insertInto('messageAnswer').values({ id, messageId, text, sentBy, sentAt: now, mailedAt: null }).execute()
}

export async function addNote(
  db: Db,
  {
    id,
    messageId,
    text,
    writtenBy,
    now,
  }: { id: string; messageId: string; text: string; writtenBy: string; now: number },
): Promise<void> {
  await db.insertInto('messageNote').values({ id, messageId, text, writtenBy, writtenAt: now }).execute()
}

export async function markAnswerSent(db: Db, id: string, now: number): Promise<void> {
  await db.updateTable('messageAnswer').set({ mailedAt: now }).where('id', '=', id).execute()
}
