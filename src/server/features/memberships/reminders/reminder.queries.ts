import type { Db } from '#server/db/database.ts'
import type { MembershipReminderTable } from '#server/db/schema/membership-schema.ts'
import type { ReminderKind } from './reminder.rules.ts'

export interface MembershipReminder {
  id: string
  accountId: string
  membershipId: string
  kind: ReminderKind
  aboutAt: number
  queuedAt: number
  state: MembershipReminderTable['state']
  closedAt: number | null
  messageId: string | null
  sentTo: string | null
  /** The amounts and dates the email named. */
  sentValues: Record<string, string>
}

/** Oldest first. */
export async function listReminders(db: Db, accountId: string): Promise<MembershipReminder[]> {
  const rows = await db
    .selectFrom('membershipReminder')
    .selectAll()
    .where('accountId', '=', accountId)
    .orderBy('queuedAt')
    .orderBy('id')
    .execute()
  return rows.map(toReminder)
}

export function toReminder(row: MembershipReminderTable): MembershipReminder {
  return {
    id: row.id,
    accountId: row.accountId,
    membershipId: row.membershipId,
    kind: row.kind as ReminderKind,
    aboutAt: row.aboutAt,
    queuedAt: row.queuedAt,
    state: row.state,
    closedAt: row.closedAt,
    messageId: row.messageId,
    sentTo: row.sentTo,
    sentValues: row.sentValues === null ? {} : (JSON.parse(row.sentValues) as Record<string, string>),
  }
}
