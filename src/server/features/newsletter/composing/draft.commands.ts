import type { Db } from '#server/db/database.ts'

export async function rejectSchedule(db: Db, campaignId: string, reason: string): Promise<void> {
  await db.updateTable('mailing_schedule').set({ refused: reason }).where('campaign_id', '=', campaignId).execute()
}
