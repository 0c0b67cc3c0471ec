import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import type { Mailing } from './mailing.queries.ts'

/** Returns false if this campaign was sent before. */
export async function insertMailing(
  db: Db,
  { campaignId, recipients, now }: { campaignId: string; recipients: number; now: number },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('mailing')
    .values({
      campaignId,
      state: 'sending',
      recipients,
      startedAt: now,
      resumeAt: now,
      failuresInARow: 0,
      lastError: null,
      finishedAt: null,
    })
    .onConflict((conflict) => conflict.column('campaignId').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export async function setRecipients(db: Db, campaignId: string, recipients: number): Promise<void> {
  await db.updateTable('mailing').set({ recipients }).where('campaignId', '=', campaignId).execute()
}

/** The mailings that may send now, the oldest first. */
export async function listDueMailings(db: Db, now: number): Promise<Mailing[]> {
  return db
    .selectFrom('mailing')
    .selectAll()
    .where('state', '=', 'sending')
    .where('resumeAt', '<=', now)
    .orderBy('startedAt')
    .execute()
}

/** Backs off until `resumeAt` after a failure of the mail server. */
export async function postponeMailing(
  db: Db,
  { campaignId, resumeAt, reason }: { campaignId: string; resumeAt: number; reason: string },
): Promise<void> {
  await db
    .updateTable('mailing')
    .set((eb) => ({ resumeAt, lastError: reason, failuresInARow: eb('failuresInARow', '+', 1) }))
    .where('campaignId', '=', campaignId)
    .execute()
}

/** Resets the failure count after a successful send. */
export async function resetFailures(db: Db, campaignId: string): Promise<void> {
  await db
    .updateTable('mailing')
    .set({ failuresInARow: 0, lastError: null })
    .where('campaignId', '=', campaignId)
    .where('failuresInARow', '>', 0)
    .execute()
}

export async function pauseMailing(db: Db, campaignId: string, reason: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('mailing')
    .set({ state: 'paused', lastError: reason })
    .where('campaignId', '=', campaignId)
    .where('state', '=', 'sending')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Resumes a paused mailing, or a finished one that has copies to resend. */
export async function resumeMailing(db: Db, campaignId: string, now: number): Promise<void> {
  await db
    .updateTable('mailing')
    .set({ state: 'sending', resumeAt: now, failuresInARow: 0, lastError: null, finishedAt: null })
    .where('campaignId', '=', campaignId)
    .execute()
}

/** Locks the row until the transaction ends (PostgreSQL; SQLite runs one write transaction at a time). */
export async function lockMailing(db: Db, campaignId: string): Promise<void> {
  await db
    .updateTable('mailing')
    .set({ campaignId: sql`campaign_id` })
    .where('campaignId', '=', campaignId)
    .execute()
}

/** Returns true for the caller that finished it; false if it was finished before or copies are still to be sent. */
export async function finishMailing(db: Db, campaignId: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('mailing')
    .set({ state: 'finished', finishedAt: now })
    .where('campaignId', '=', campaignId)
    .where('state', '=', 'sending')
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('delivery')
            .select('delivery.id')
            .where('delivery.campaignId', '=', campaignId)
            .where('delivery.state', 'in', ['waiting', 'sending']),
        ),
      ),
    )
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
