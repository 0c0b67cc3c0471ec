import type { Db } from '#server/db/database.ts'
import type { MailingTable } from '#server/db/schema/newsletter-schema.ts'

/** The job of sending a campaign. Instants are epoch milliseconds. */
export type Mailing = MailingTable

export async function findMailing(db: Db, campaignId: string): Promise<Mailing | null> {
  const row = await db.selectFrom('mailing').selectAll().where('campaignId', '=', campaignId).executeTakeFirst()
  return row ?? null
}
