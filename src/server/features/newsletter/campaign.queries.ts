import type { Db } from '#server/db/database.ts'
import type { CampaignTable } from '#server/db/schema/newsletter-schema.ts'

export interface StoredCampaign {
  id: string
  name: string
  subject: string
  /** `paper`: content for the association's email layout; `own`: a complete imported design. */
  layout: 'paper' | 'own'
  /** Sanitized; URLs of this site are stored as paths. */
  html: string
  text: string
  /** A path of this site or an https URL. */
  picture: string | null
  snippet: string
  canEmbed: boolean
  /** Whether it has a public view. */
  hasView: boolean
  /** Epoch milliseconds. */
  createdAt: number
  updatedAt: number
  /** When it was sent and entered the archive; null: not sent yet. */
  sentAt: number | null
}

/** A campaign in a list. */
export type CampaignSummary = Omit<StoredCampaign, 'html' | 'text' | 'layout'>

export const ENTRY_COLUMNS = [
  'id',
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
  return row ? { ...toEntry(row), layout: row.layout, html: row.html, text: row.text } : null
}

export function toEntry(row: Pick<CampaignTable, (typeof ENTRY_COLUMNS)[number]>): CampaignSummary {
  return {
    id: row.id,
    name: row.name,
    subject: row.subject,
    picture: row.picture,
    snippet: row.snippet,
    canEmbed: row.canEmbed === 1,
    hasView: row.hasView === 1,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    sentAt: row.sentAt,
  }
}

export function toRow(campaign: StoredCampaign): CampaignTable {
  return {
    id: campaign.id,
    name: campaign.name,
    subject: campaign.subject,
    layout: campaign.layout,
    html: campaign.html,
    text: campaign.text,
    picture: campaign.picture,
    snippet: campaign.snippet,
    canEmbed: campaign.canEmbed ? 1 : 0,
    hasView: campaign.hasView ? 1 : 0,
    createdAt: campaign.createdAt,
    updatedAt: campaign.updatedAt,
    sentAt: campaign.sentAt,
  }
}
