import { writeFlags } from '#server/db/schema/column-values.ts'
import type { Db } from '#server/db/database.ts'
import { splitWords } from '#server/db/split-words.rules.ts'
import { type StoredCampaign } from './campaign.queries.ts'

/** Inserts or updates a campaign; `recipients`, `createdAt` and `sentAt` are set on insert only. */
export async function saveCampaign(db: Db, campaign: StoredCampaign): Promise<void> {
  const { id, recipients, createdAt, sentAt, ...changing } = writeFlags(campaign, 'canEmbed', 'hasView')
  await db
    .insertInto('campaign')
    .values({ id, recipients, createdAt, sentAt, ...changing })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(changing))
    .execute()
  // The search is the archive's.
  if (recipients !== 'subscribers') return
  const words = splitWords(`${campaign.name} ${campaign.subject} ${campaign.text}`).join(' ')
  await db.deleteFrom('campaignSearch').where('campaignId', '=', id).execute()
  await db.insertInto('campaignSearch').values({ campaignId: id, words }).execute()
}
