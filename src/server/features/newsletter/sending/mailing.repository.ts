import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import type { MailingTable } from '#server/db/schema/newsletter-schema.ts'

/** The job of sending a campaign. Instants are epoch milliseconds. */
export interface Mailing {
  campaignId: string
  /** `paused`: until an officer resumes it. */
  state: MailingTable['state']
  recipients: number
  startedAt: number
  resumeAt: number
  consecutiveFailures: number
  lastError: string | null
  finishedAt: number | null
}

/** Returns false if this campaign was sent before. */
export async function insertMailing(
  db: Db,
  { campaignId, recipients, now }: { campaignId: string; recipients: number; now: number },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('mailing')
    .values({
      campaign_id: campaignId,
      state: 'sending',
      recipients,
      started_at: now,
      resume_at: now,
      failures_in_a_row: 0,
      last_error: null,
      finished_at: null,
    })
    .onConflict((conflict) => conflict.column('campaign_id').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export async function setRecipients(db: Db, campaignId: string, recipients: number): Promise<void> {
  await db.updateTable('mailing').set({ recipients }).where('campaign_id', '=', campaignId).execute()
}

export async function findMailing(db: Db, campaignId: string): Promise<Mailing | null> {
  const row = await db.selectFrom('mailing').selectAll().where('campaign_id', '=', campaignId).executeTakeFirst()
  return row ? toMailing(row) : null
}

/** The mailings that may send now, the oldest first. */
export async function listDueMailings(db: Db, now: number): Promise<Mailing[]> {
  const rows = await db
    .selectFrom('mailing')
    .selectAll()
    .where('state', '=', 'sending')
    .where('resume_at', '<=', now)
    .orderBy('started_at')
    .execute()
  return rows.map(toMailing)
}

/** Backs off until `resumeAt` after a failure of the mail server. */
export async function postponeMailing(
  db: Db,
  { campaignId, resumeAt, reason }: { campaignId: string; resumeAt: number; reason: string },
): Promise<void> {
  await db
    .updateTable('mailing')
    .set((eb) => ({ resume_at: resumeAt, last_error: reason, failures_in_a_row: eb('failures_in_a_row', '+', 1) }))
    .where('campaign_id', '=', campaignId)
    .execute()
}

/** Resets the failure count after a successful send. */
export async function resetFailures(db: Db, campaignId: string): Promise<void> {
  await db
    .updateTable('mailing')
    .set({ failures_in_a_row: 0, last_error: null })
    .where('campaign_id', '=', campaignId)
    .where('failures_in_a_row', '>', 0)
    .execute()
}

export async function pauseMailing(db: Db, campaignId: string, reason: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('mailing')
    .set({ state: 'paused', last_error: reason })
    .where('campaign_id', '=', campaignId)
    .where('state', '=', 'sending')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Resumes a paused mailing, or a finished one that has copies to resend. */
export async function resumeMailing(db: Db, campaignId: string, now: number): Promise<void> {
  await db
    .updateTable('mailing')
    .set({ state: 'sending', resume_at: now, failures_in_a_row: 0, last_error: null, finished_at: null })
    .where('campaign_id', '=', campaignId)
    .execute()
}

/** Locks the row until the transaction ends (PostgreSQL; SQLite runs one write transaction at a time). */
export async function lockMailing(db: Db, campaignId: string): Promise<void> {
  await db
    .updateTable('mailing')
    .set({ campaign_id: sql`campaign_id` })
    .where('campaign_id', '=', campaignId)
    .execute()
}

/** Returns true for the caller that finished it; false if it was finished before or copies are still to be sent. */
export async function finishMailing(db: Db, campaignId: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('mailing')
    .set({ state: 'finished', finished_at: now })
    .where('campaign_id', '=', campaignId)
    .where('state', '=', 'sending')
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('delivery')
            .select('delivery.id')
            .where('delivery.campaign_id', '=', campaignId)
            .where('delivery.state', 'in', ['waiting', 'sending']),
        ),
      ),
    )
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

function toMailing(row: MailingTable): Mailing {
  return {
    campaignId: row.campaign_id,
    state: row.state,
    recipients: row.recipients,
    startedAt: row.started_at,
    resumeAt: row.resume_at,
    consecutiveFailures: row.failures_in_a_row,
    lastError: row.last_error,
    finishedAt: row.finished_at,
  }
}
