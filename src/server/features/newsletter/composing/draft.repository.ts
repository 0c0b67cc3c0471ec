import type { NewsletterBlock } from '#contract/console/newsletter.ts'
import { isLink } from '#contract/fields.ts'
import { type ReadJson, readJson } from '#server/db/schema/column-values.ts'
import type { Db } from '#server/db/database.ts'
import type { CampaignDraftTable, MailingTable } from '#server/db/schema/newsletter-schema.ts'
import { type Schedule, listSchedules } from './draft.queries.ts'

export type CampaignDraft = ReadJson<Pick<CampaignDraftTable, 'campaignId' | 'blocks' | 'version'>, 'blocks'>

export async function findDraft(db: Db, campaignId: string): Promise<CampaignDraft | null> {
  const row = await db
    .selectFrom('campaignDraft')
    .select(['campaignId', 'blocks', 'version'])
    .where('campaignId', '=', campaignId)
    .executeTakeFirst()
  if (!row) return null
  const { blocks, ...draft } = readJson(row, 'blocks')
  return { ...draft, blocks: blocks.map(withValidUrl) }
}

export async function addDraft(db: Db, draft: CampaignDraft, by: string, now: number): Promise<void> {
  const { campaignId, blocks, version } = draft
  await db
    .insertInto('campaignDraft')
    .values({ campaignId, blocks: JSON.stringify(blocks), version, updatedBy: by, updatedAt: now })
    .execute()
}

/** Returns false on a version conflict. */
export async function updateDraft(db: Db, draft: CampaignDraft, by: string, now: number): Promise<boolean> {
  const { campaignId, blocks, version } = draft
  const { numUpdatedRows } = await db
    .updateTable('campaignDraft')
    .set({ blocks: JSON.stringify(blocks), version: version + 1, updatedBy: by, updatedAt: now })
    .where('campaignId', '=', campaignId)
    .where('version', '=', version)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/**
 * Increments the version, so that other editors get a conflict. Returns false if `seen` is given and is no longer the version; true if the campaign has no
 * draft.
 */
export async function incrementDraftVersion(db: Db, campaignId: string, seen?: number): Promise<boolean> {
  let query = db
    .updateTable('campaignDraft')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('campaignId', '=', campaignId)
  if (seen !== undefined) query = query.where('version', '=', seen)
  const { numUpdatedRows } = await query.executeTakeFirst()
  return numUpdatedRows === 1n || (await findDraft(db, campaignId)) === null
}

export async function findSchedule(db: Db, campaignId: string): Promise<Schedule | null> {
  return (await listSchedules(db)).find((schedule) => schedule.campaignId === campaignId) ?? null
}

/** Replaces a refused schedule. Returns false if another schedule exists. */
export async function addSchedule(
  db: Db,
  { campaignId, dueAt, askedBy }: Omit<Schedule, 'refused'>,
  now: number,
): Promise<boolean> {
  await db.deleteFrom('mailingSchedule').where('campaignId', '=', campaignId).where('refused', 'is not', null).execute()
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('mailingSchedule')
    .values({ campaignId, dueAt, askedBy, askedAt: now, refused: null })
    .onConflict((conflict) => conflict.column('campaignId').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Returns false if there was none. */
export async function deleteSchedule(db: Db, campaignId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('mailingSchedule')
    .where('campaignId', '=', campaignId)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

export type MailingState = Pick<MailingTable, 'state' | 'startedAt'>

/** The state of each mailing by campaign id. */
export async function listMailingStates(db: Db): Promise<Map<string, MailingState>> {
  const rows = await db.selectFrom('mailing').select(['campaignId', 'state', 'startedAt']).execute()
  return new Map(rows.map(({ campaignId, ...state }) => [campaignId, state]))
}

/** Links stored before URLs were validated point to the home page until an officer corrects them. */
function withValidUrl(block: NewsletterBlock): NewsletterBlock {
  if (block.kind === 'button' && !isLink(block.url)) return { ...block, url: '/' }
  if (block.kind === 'picture' && !isLink(block.src)) return { ...block, src: '/' }
  return block
}
