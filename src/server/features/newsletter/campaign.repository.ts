import { sql, type SelectQueryBuilder } from 'kysely'
import type { Db } from '#server/db/database.ts'
import { holdsWords, wordsOf } from '#server/db/full-text.ts'
import type { CampaignTable } from '#server/db/newsletter-schema.ts'
import type { Schema } from '#server/db/schema.ts'

/** A newsletter as stored. */
export interface StoredCampaign {
  id: string
  name: string
  subject: string
  /** `paper`: words for the association's letter paper; `own`: a whole design that was given. */
  layout: 'paper' | 'own'
  /** Sanitised; addresses of this site are paths. */
  html: string
  text: string
  /** A path of this site or an https address. */
  picture: string | null
  snippet: string
  canEmbed: boolean
  /** Whether it has an address to be read at. */
  hasView: boolean
  /** Epoch milliseconds. */
  createdAt: number
  updatedAt: number
  /** In the archive from then on; null: not sent yet. */
  sentAt: number | null
}

/** What a list shows of a campaign. */
export type CampaignEntry = Omit<StoredCampaign, 'html' | 'text' | 'layout'>

const ENTRY_COLUMNS = [
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

/** Stores a campaign, or what it says now. When it was made and sent stays. */
export async function saveCampaign(db: Db, campaign: StoredCampaign): Promise<void> {
  const { id, created_at, sent_at, ...changing } = toRow(campaign)
  await db
    .insertInto('campaign')
    .values({ id, created_at, sent_at, ...changing })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(changing))
    .execute()
  const words = wordsOf(`${campaign.name} ${campaign.subject} ${campaign.text}`).join(' ')
  await db.deleteFrom('campaign_search').where('campaign_id', '=', id).execute()
  await db.insertInto('campaign_search').values({ campaign_id: id, words }).execute()
}

export async function findCampaign(db: Db, id: string): Promise<StoredCampaign | null> {
  const row = await db.selectFrom('campaign').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? { ...toEntry(row), layout: row.layout, html: row.html, text: row.text } : null
}

/** The first call puts it into the archive; later ones change nothing. */
export async function markCampaignSent(db: Db, id: string, now: number): Promise<void> {
  await db.updateTable('campaign').set({ sent_at: now }).where('id', '=', id).where('sent_at', 'is', null).execute()
}

/** Of the archive; instants in epoch milliseconds. */
export interface ArchiveQuery {
  sentFrom: number
  sentBefore: number | null
  /** Words that must all occur, each perhaps only begun; none: all campaigns. */
  search: string
  order: 'newest' | 'oldest'
  offset: number
  limit: number
}

export async function listSentCampaigns(
  db: Db,
  { sentFrom, sentBefore, search, order, offset, limit }: ArchiveQuery,
): Promise<{ campaigns: CampaignEntry[]; total: number }> {
  const words = wordsOf(search)
  // A search for nothing but marks finds nothing.
  if (words.length === 0 && search.trim() !== '') return { campaigns: [], total: 0 }
  let query = db.selectFrom('campaign').where('sent_at', '>=', sentFrom)
  if (sentBefore !== null) query = query.where('sent_at', '<', sentBefore)
  if (words.length > 0) query = query.where(holdsWords(db, words))
  const direction = order === 'newest' ? 'desc' : 'asc'
  // Who is on the page and how many there are comes of one look through the index; only what is on the page is read.
  const found = await query
    .select(['id', sql<number | string>`count(*) over ()`.as('total')])
    .orderBy('sent_at', direction)
    .orderBy('id', direction)
    .offset(offset)
    .limit(limit)
    .execute()
  const ids = found.map(({ id }) => id)
  if (ids.length === 0) return { campaigns: [], total: offset === 0 ? 0 : await countRows(query) }
  const rows = await db.selectFrom('campaign').select(ENTRY_COLUMNS).where('id', 'in', ids).execute()
  const byId = new Map(rows.map((row) => [row.id, toEntry(row)]))
  return { campaigns: ids.flatMap((id) => byId.get(id) ?? []), total: Number(found[0]?.total) }
}

async function countRows(query: SelectQueryBuilder<Schema, 'campaign', object>): Promise<number> {
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return Number(total)
}

/** The first and the last instant of the archive; null when it is empty. */
export async function archiveSpan(db: Db, sentFrom: number): Promise<{ first: number; last: number } | null> {
  const { first, last } = await db
    .selectFrom('campaign')
    .select((eb) => [eb.fn.min('sent_at').as('first'), eb.fn.max('sent_at').as('last')])
    .where('sent_at', '>=', sentFrom)
    .executeTakeFirstOrThrow()
  return first === null || last === null ? null : { first: Number(first), last: Number(last) }
}

/** Those whose words may name pictures at these addresses; `words` hold whatever names one. */
export async function listNaming(
  db: Db,
  addresses: readonly string[],
): Promise<{ id: string; name: string; words: string; sentAt: number | null }[]> {
  const folders = [...new Set(addresses.map((address) => address.slice(0, address.lastIndexOf('/') + 1)))]
  const rows = await db
    .selectFrom('campaign')
    .select(['id', 'name', 'html', 'picture', 'sent_at'])
    .where((eb) =>
      eb.or(folders.flatMap((folder) => [eb('html', 'like', `%${folder}%`), eb('picture', 'like', `${folder}%`)])),
    )
    .orderBy('id', 'desc')
    .execute()
  return rows.map(({ id, name, html, picture, sent_at: sentAt }) => ({
    id,
    name,
    words: `${html} ${picture ?? ''}`,
    sentAt,
  }))
}

/** All there are, the newest first; those not sent yet come before. */
export async function listAllCampaigns(db: Db): Promise<CampaignEntry[]> {
  const rows = await db
    .selectFrom('campaign')
    .select(ENTRY_COLUMNS)
    .orderBy('sent_at', (order) => order.desc().nullsFirst())
    .orderBy('id')
    .execute()
  return rows.map(toEntry)
}

function toEntry(row: Pick<CampaignTable, (typeof ENTRY_COLUMNS)[number]>): CampaignEntry {
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

function toRow(campaign: StoredCampaign): CampaignTable {
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
