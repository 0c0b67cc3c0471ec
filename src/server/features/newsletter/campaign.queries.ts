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
  'can_embed',
  'has_view',
  'created_at',
  'updated_at',
  'sent_at',
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
    canEmbed: row.can_embed === 1,
    hasView: row.has_view === 1,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    sentAt: row.sent_at,
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
    can_embed: campaign.canEmbed ? 1 : 0,
    has_view: campaign.hasView ? 1 : 0,
    created_at: campaign.createdAt,
    updated_at: campaign.updatedAt,
    sent_at: campaign.sentAt,
  }
}
