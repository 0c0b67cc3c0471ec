import type { Db } from '#server/db/database.ts'
import type { ContactMessageTable } from '#server/db/inbox-schema.ts'

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
    .values({ ...words, received_at: receivedAt, answered_at: null, assigned_to: null, spam_at: null, version: 1 })
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
    .where('spam_at', 'is', null)
    .orderBy('received_at')
    .execute()
  return rows.map(toMessage)
}

/** False when there is no such message, or it was answered before. */
export async function markAnswered(db: Db, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('contact_message')
    .set((eb) => ({ answered_at: now, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .where('answered_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** With what was answered. Instants in epoch milliseconds. */
export async function forgetMessages(
  db: Db,
  { answeredBefore, spamBefore }: { answeredBefore: number; spamBefore: number },
): Promise<void> {
  await db
    .deleteFrom('contact_message')
    .where((eb) => eb.or([eb('answered_at', '<', answeredBefore), eb('spam_at', '<', spamBefore)]))
    .execute()
  await db
    .deleteFrom('message_answer')
    .where('message_id', 'not in', (eb) => eb.selectFrom('contact_message').select('id'))
    .execute()
}

function toMessage(row: ContactMessageTable): ContactMessage {
  const { id, name, email, subject, message, received_at, answered_at } = row
  return { id, name, email, subject, message, receivedAt: received_at, answeredAt: answered_at }
}
