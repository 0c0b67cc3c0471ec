import { type ReadJson, readJson } from '#server/db/schema/column-values.ts'
import type { Db } from '#server/db/database.ts'
import type { MembershipReminderTable } from '#server/db/schema/membership-schema.ts'

export type MembershipReminder = ReadJson<MembershipReminderTable, 'sentValues'>

/** Oldest first. */
export async function listReminders(db: Db, accountId: string): Promise<MembershipReminder[]> {
  const rows = await db
    .selectFrom('membershipReminder')
    .selectAll()
    .where('accountId', '=', accountId)
    .orderBy('queuedAt')
    .orderBy('id')
    .execute()
  return rows.map((row) => readJson(row, 'sentValues'))
}
