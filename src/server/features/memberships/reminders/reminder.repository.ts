import { readJson } from '#server/db/schema/column-values.ts'
import type { Db } from '#server/db/database.ts'
import { newId } from '#server/lib/ids.ts'
import { type MembershipReminder } from './reminder.queries.ts'

type NewReminder = Pick<MembershipReminder, 'accountId' | 'membershipId' | 'kind' | 'aboutAt'>

/** Returns the id, or null when this reminder already exists. */
export async function insertReminder(db: Db, reminder: NewReminder, now: number): Promise<string | null> {
  const row = await db
    .insertInto('membershipReminder')
    .values({
      id: newId(now),
      accountId: reminder.accountId,
      membershipId: reminder.membershipId,
      kind: reminder.kind,
      aboutAt: reminder.aboutAt,
      queuedAt: now,
      state: 'queued',
      closedAt: null,
      messageId: null,
      sentTo: null,
      sentValues: null,
    })
    .onConflict((conflict) => conflict.columns(['membershipId', 'kind', 'aboutAt']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id ?? null
}

export async function findReminder(db: Db, id: string): Promise<MembershipReminder | null> {
  const row = await db.selectFrom('membershipReminder').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? readJson(row, 'sentValues') : null
}

/** Keys of the reminders so far for these memberships: 'membership kind instant'. */
export async function listReminderKeys(db: Db, membershipIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (membershipIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('membershipReminder')
    .select(['membershipId', 'kind', 'aboutAt'])
    .where('membershipId', 'in', membershipIds)
    .execute()
  return new Set(rows.map((row) => reminderKey(row.membershipId, { kind: row.kind, aboutAt: row.aboutAt })))
}

export function reminderKey(membershipId: string, { kind, aboutAt }: { kind: string; aboutAt: number }): string {
  return `${membershipId} ${kind} ${aboutAt}`
}

/** Records a reminder as dropped because another email covers it. */
export async function recordDroppedReminder(
  db: Db,
  reminder: Parameters<typeof insertReminder>[1],
  now: number,
): Promise<void> {
  const id = await insertReminder(db, reminder, now)
  if (id) await markReminderDropped(db, id, now)
}

/** Stores the proof that a mail server accepted the email. */
export async function markReminderSent(
  db: Db,
  id: string,
  proof: { at: number; messageId: string; sentTo: string; told: Record<string, string> },
): Promise<void> {
  await db
    .updateTable('membershipReminder')
    .set({
      state: 'sent',
      closedAt: proof.at,
      messageId: proof.messageId,
      sentTo: proof.sentTo,
      sentValues: JSON.stringify(proof.told),
    })
    .where('id', '=', id)
    .execute()
}

/** For a reminder that no longer applied when it was about to be sent. */
export async function markReminderDropped(db: Db, id: string, at: number): Promise<void> {
  await db.updateTable('membershipReminder').set({ state: 'dropped', closedAt: at }).where('id', '=', id).execute()
}
