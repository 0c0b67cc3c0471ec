import type { Db } from '#server/db/database.ts'
import { splitWords } from '#server/db/full-text.ts'
import { type StoredCampaign, toRow } from './campaign.queries.ts'

/** Inserts or updates a campaign; `createdAt` and `sentAt` are set on insert only. */
export async function saveCampaign(db: Db, campaign: StoredCampaign): Promise<void> {
  const { id, created_at, sent_at, ...changing } = toRow(campaign)
  await db
    .insertInto('campaign')
    .values({ id, created_at, sent_at, ...changing })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(changing))
    .execute()
  const words = splitWords(`${campaign.name} ${campaign.subject} ${campaign.text}`).join(' ')
  await db.deleteFrom('campaign_search').where('campaign_id', '=', id).execute()
  await db.insertInto('campaign_search').values({ campaign_id: id, words }).execute()
}
