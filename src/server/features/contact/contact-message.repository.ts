import type { Db } from '#server/db/database.ts'
import type { ContactMessageTable } from '#server/db/schema/inbox-schema.ts'
import { type ContactMessage } from './contact-message.queries.ts'

export async function findMessage(db: Db, id: string): Promise<ContactMessage | null> {
  const row = await db.selectFrom('contact_message').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? toMessage(row) : null
}

/** Oldest first, since those are due first. */
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

/** Deletes old messages and their answers. Times are epoch milliseconds. */
export async function deleteOldMessages(
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
