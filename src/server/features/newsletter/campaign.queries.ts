import { type ReadFlags, readFlags } from '#server/db/schema/column-values.ts'
import type { Db } from '#server/db/database.ts'
import type { CampaignTable } from '#server/db/schema/newsletter-schema.ts'

export type StoredCampaign = ReadFlags<CampaignTable, 'canEmbed' | 'hasView'>

/** A campaign in a list. */
export type CampaignSummary = Omit<StoredCampaign, 'html' | 'text' | 'layout'>

export const ENTRY_COLUMNS = [
  'id',
  'recipients',
  'name',
  'subject',
  'picture',
  'snippet',
  'canEmbed',
  'hasView',
  'createdAt',
  'updatedAt',
  'sentAt',
] as const

export async function findCampaign(db: Db, id: string): Promise<StoredCampaign | null> {
  const row = await db.selectFrom('campaign').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? readFlags(row, 'canEmbed', 'hasView') : null
}
