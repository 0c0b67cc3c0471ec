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
    .selectFrom('membership_reminder')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('queued_at')
    .orderBy('id')
    .execute()
  return rows.map(toReminder)
}

export function toReminder(row: MembershipReminderTable): MembershipReminder {
  return {
    id: row.id,
    accountId: row.account_id,
    membershipId: row.membership_id,
    kind: row.kind as ReminderKind,
    aboutAt: row.about_at,
    queuedAt: row.queued_at,
    state: row.state,
    closedAt: row.closed_at,
    messageId: row.message_id,
    sentTo: row.sent_to,
    sentValues: row.sent_values === null ? {} : (JSON.parse(row.sent_values) as Record<string, string>),
  }
}
