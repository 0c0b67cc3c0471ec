import type { Db } from '#server/db/database.ts'

export async function rejectSchedule(db: Db, campaignId: string, reason: string): Promise<void> {
  await db.updateTable('mailingSchedule').set({ refused: reason }).where('campaignId', '=', campaignId).execute()
}
