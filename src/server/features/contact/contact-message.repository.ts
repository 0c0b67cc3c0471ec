import type { Db } from '#server/db/database.ts'
import type { ContactMessageTable } from '#server/db/schema.ts'

export interface ContactMessage {
  id: string
  name: string
  email: string
  subject: string
  message: string
  /** Epoch milliseconds. */
  receivedAt: number
  answeredAt: number | null
}

export async function saveMessage(db: Db, message: Omit<ContactMessage, 'answeredAt'>): Promise<void> {
  const { receivedAt, ...words } = message
  await db
    .insertInto('contact_message')
    .values({ ...words, received_at: receivedAt, answered_at: null })
    .execute()
}

export async function findMessage(db: Db, id: string): Promise<ContactMessage | null> {
  const row = await db.selectFrom('contact_message').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? toMessage(row) : null
}

/** The oldest first: its answer is due first. */
export async function listOpenMessages(db: Db): Promise<ContactMessage[]> {
  const rows = await db
    .selectFrom('contact_message')
    .selectAll()
    .where('answered_at', 'is', null)
    .orderBy('received_at')
    .execute()
  return rows.map(toMessage)
}

/** False when there is no such message, or it was answered before. */
export async function markAnswered(db: Db, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('contact_message')
    .set({ answered_at: now })
    .where('id', '=', id)
    .where('answered_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function forgetAnsweredMessages(db: Db, before: number): Promise<void> {
  await db.deleteFrom('contact_message').where('answered_at', '<', before).execute()
}

function toMessage({ received_at, answered_at, ...words }: ContactMessageTable): ContactMessage {
  return { ...words, receivedAt: received_at, answeredAt: answered_at }
}
