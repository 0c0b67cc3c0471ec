import type { NewsletterBlock } from '#contract/console-newsletter.ts'
import { isLink } from '#contract/fields.ts'
import type { Db } from '#server/db/database.ts'

export interface CampaignDraft {
  campaignId: string
  blocks: NewsletterBlock[]
  version: number
}

export interface Schedule {
  campaignId: string
  /** Epoch milliseconds. */
  dueAt: number
  /** An officer's account. */
  askedBy: string
  refused: string | null
}

export async function findDraft(db: Db, campaignId: string): Promise<CampaignDraft | null> {
  const row = await db.selectFrom('campaign_draft').selectAll().where('campaign_id', '=', campaignId).executeTakeFirst()
  return row
    ? { campaignId, blocks: (JSON.parse(row.blocks) as NewsletterBlock[]).map(withAddress), version: row.version }
    : null
}

export async function addDraft(db: Db, draft: CampaignDraft, by: string, now: number): Promise<void> {
  const { campaignId, blocks, version } = draft
  await db
    .insertInto('campaign_draft')
    .values({ campaign_id: campaignId, blocks: JSON.stringify(blocks), version, updated_by: by, updated_at: now })
    .execute()
}

/** False when it is no longer of this version. */
export async function changeDraft(db: Db, draft: CampaignDraft, by: string, now: number): Promise<boolean> {
  const { campaignId, blocks, version } = draft
  const { numUpdatedRows } = await db
    .updateTable('campaign_draft')
    .set({ blocks: JSON.stringify(blocks), version: version + 1, updated_by: by, updated_at: now })
    .where('campaign_id', '=', campaignId)
    .where('version', '=', version)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/**
 * To its next version, so that whoever still writes in it is told. False when it is no longer of the version that was `seen`, if one was; a campaign without
 * a draft is written in by nobody.
 */
export async function raiseDraft(db: Db, campaignId: string, seen?: number): Promise<boolean> {
  let query = db
    .updateTable('campaign_draft')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('campaign_id', '=', campaignId)
  if (seen !== undefined) query = query.where('version', '=', seen)
  const { numUpdatedRows } = await query.executeTakeFirst()
  return numUpdatedRows === 1n || (await findDraft(db, campaignId)) === null
}

export async function listSchedules(db: Db): Promise<Schedule[]> {
  const rows = await db.selectFrom('mailing_schedule').selectAll().orderBy('due_at').execute()
  return rows.map(({ campaign_id, due_at, asked_by, refused }) => ({
    campaignId: campaign_id,
    dueAt: due_at,
    askedBy: asked_by,
    refused,
  }))
}

export async function findSchedule(db: Db, campaignId: string): Promise<Schedule | null> {
  return (await listSchedules(db)).find((schedule) => schedule.campaignId === campaignId) ?? null
}

/** Takes the place of one that was refused; false when there is another already. */
export async function addSchedule(
  db: Db,
  { campaignId, dueAt, askedBy }: Omit<Schedule, 'refused'>,
  now: number,
): Promise<boolean> {
  await db
    .deleteFrom('mailing_schedule')
    .where('campaign_id', '=', campaignId)
    .where('refused', 'is not', null)
    .execute()
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('mailing_schedule')
    .values({ campaign_id: campaignId, due_at: dueAt, asked_by: askedBy, asked_at: now, refused: null })
    .onConflict((conflict) => conflict.column('campaign_id').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export async function refuseSchedule(db: Db, campaignId: string, reason: string): Promise<void> {
  await db.updateTable('mailing_schedule').set({ refused: reason }).where('campaign_id', '=', campaignId).execute()
}

/** Newsletters that did not begin at their hour. */
export async function countRefusedSchedules(db: Db): Promise<number> {
  return (await listSchedules(db)).filter(({ refused }) => refused !== null).length
}

/** False when there was none. */
export async function removeSchedule(db: Db, campaignId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('mailing_schedule')
    .where('campaign_id', '=', campaignId)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** One that was refused is told, and stands in nobody's way. */
export function isAhead(schedule: Schedule | null): schedule is Schedule {
  return schedule !== null && schedule.refused === null
}

/** The state of each mailing by its campaign. */
export async function mailingStates(db: Db): Promise<Map<string, 'sending' | 'paused' | 'finished'>> {
  const rows = await db.selectFrom('mailing').select(['campaign_id', 'state']).execute()
  return new Map(rows.map(({ campaign_id, state }) => [campaign_id, state]))
}

/** Kept before addresses were checked as they are today: one that is none leads home until an officer corrects it. */
function withAddress(block: NewsletterBlock): NewsletterBlock {
  if (block.kind === 'button' && !isLink(block.url)) return { ...block, url: '/' }
  if (block.kind === 'picture' && !isLink(block.src)) return { ...block, src: '/' }
  return block
}
