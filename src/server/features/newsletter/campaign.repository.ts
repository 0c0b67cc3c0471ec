import { sql, type SelectQueryBuilder } from 'kysely'
import { readFlags } from '#server/db/schema/column-values.ts'
import type { Db } from '#server/db/database.ts'
import { campaignMatchesWords } from '#server/db/full-text.ts'
import { splitWords } from '#server/db/split-words.rules.ts'
import type { CampaignRecipients } from '#server/db/schema/newsletter-schema.ts'
import type { Schema } from '#server/db/schema/schema.ts'
import { type CampaignSummary, ENTRY_COLUMNS } from './campaign.queries.ts'

/** Adds the campaign to the archive. A no-op if it was sent before. */
export async function markCampaignSent(db: Db, id: string, now: number): Promise<void> {
  await db.updateTable('campaign').set({ sentAt: now }).where('id', '=', id).where('sentAt', 'is', null).execute()
}

/** Instants are epoch milliseconds. */
export interface ArchiveQuery {
  sentFrom: number
  sentBefore: number | null
  /** Words or prefixes that must all occur; empty: all campaigns. */
  search: string
  order: 'newest' | 'oldest'
  offset: number
  limit: number
}

export async function listSentCampaigns(
  db: Db,
  { sentFrom, sentBefore, search, order, offset, limit }: ArchiveQuery,
): Promise<{ campaigns: CampaignSummary[]; total: number }> {
  const html = splitWords(search)
  // A search of punctuation alone has no words and matches nothing.
  if (html.length === 0 && search.trim() !== '') return { campaigns: [], total: 0 }
  let query = db.selectFrom('campaign').where('recipients', '=', 'subscribers').where('sentAt', '>=', sentFrom)
  if (sentBefore !== null) query = query.where('sentAt', '<', sentBefore)
  if (html.length > 0) query = query.where(campaignMatchesWords(db, html))
  const direction = order === 'newest' ? 'desc' : 'asc'
  // One index scan finds the ids of the page and the total; only the rows of the page are read.
  const found = await query
    .select(['id', sql<number | string>`count(*) over ()`.as('total')])
    .orderBy('sentAt', direction)
    .orderBy('id', direction)
    .offset(offset)
    .limit(limit)
    .execute()
  const ids = found.map(({ id }) => id)
  if (ids.length === 0) return { campaigns: [], total: offset === 0 ? 0 : await countRows(query) }
  const rows = await db.selectFrom('campaign').select(ENTRY_COLUMNS).where('id', 'in', ids).execute()
  const byId = new Map(rows.map((row) => [row.id, readFlags(row, 'canEmbed', 'hasView')]))
  return { campaigns: ids.flatMap((id) => byId.get(id) ?? []), total: Number(found[0]?.total) }
}

async function countRows(query: SelectQueryBuilder<Schema, 'campaign', object>): Promise<number> {
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return Number(total)
}

/** When the first and the last campaign of the archive were sent; null if it is empty. */
export async function archiveSpan(db: Db, sentFrom: number): Promise<{ first: number; last: number } | null> {
  const { first, last } = await db
    .selectFrom('campaign')
    .select((eb) => [eb.fn.min('sentAt').as('first'), eb.fn.max('sentAt').as('last')])
    .where('sentAt', '>=', sentFrom)
    .executeTakeFirstOrThrow()
  return first === null || last === null ? null : { first: Number(first), last: Number(last) }
}

/** Candidates that may use images at these addresses; `html` has the address of the picture at its end. */
export async function listCampaignsWithPictures(
  db: Db,
  addresses: readonly string[],
): Promise<{ id: string; recipients: CampaignRecipients; name: string; html: string; sentAt: number | null }[]> {
  const folders = [...new Set(addresses.map((address) => address.slice(0, address.lastIndexOf('/') + 1)))]
  const rows = await db
    .selectFrom('campaign')
    .select(['id', 'recipients', 'name', 'html', 'picture', 'sentAt'])
    .where((eb) =>
      eb.or(folders.flatMap((folder) => [eb('html', 'like', `%${folder}%`), eb('picture', 'like', `${folder}%`)])),
    )
    .orderBy('id', 'desc')
    .execute()
  return rows.map(({ html, picture, ...row }) => ({ ...row, html: `${html} ${picture ?? ''}` }))
}

/** The newsletters, or the emails to members: unsent ones first, then the newest. */
export async function listAllCampaigns(db: Db, recipients: CampaignRecipients): Promise<CampaignSummary[]> {
  const rows = await db
    .selectFrom('campaign')
    .select(ENTRY_COLUMNS)
    .where('recipients', '=', recipients)
    .orderBy('sentAt', (order) => order.desc().nullsFirst())
    .orderBy('id')
    .execute()
  return rows.map((row) => readFlags(row, 'canEmbed', 'hasView'))
}
