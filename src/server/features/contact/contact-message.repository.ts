import type { Db } from '#server/db/database.ts'
import { type ContactMessage } from './contact-message.queries.ts'

export async function findMessage(db: Db, id: string): Promise<ContactMessage | null> {
  const row = await db.selectFrom('contactMessage').selectAll().where('id', '=', id).executeTakeFirst()
  return row ?? null
}

/** Oldest first, since those are due first. */
export async function listOpenMessages(db: Db): Promise<ContactMessage[]> {
  return db
    .selectFrom('contactMessage')
    .selectAll()
    .where('answeredAt', 'is', null)
    .where('spamAt', 'is', null)
    .orderBy('receivedAt')
    .execute()
}

/** Deletes old messages and their answers. Times are epoch milliseconds. */
export async function deleteOldMessages(
  db: Db,
  { answeredBefore, spamBefore }: { answeredBefore: number; spamBefore: number },
): Promise<void> {
  await db
    .deleteFrom('contactMessage')
    .where((eb) => eb.or([eb('answeredAt', '<', answeredBefore), eb('spamAt', '<', spamBefore)]))
    .execute()
  for (const table of ['messageAnswer', 'messageNote'] as const) {
    await db
      .deleteFrom(table)
      .where('messageId', 'not in', (eb) => eb.selectFrom('contactMessage').select('id'))
      .execute()
  }
}
