import type { Db } from '#server/db/database.ts'
import type { MembershipNoticeTable } from '#server/db/membership-schema.ts'
import { newId } from '#server/platform/ids.ts'
import type { NoticeKind } from './notice.rules.ts'

export interface MembershipNotice {
  id: string
  accountId: string
  membershipId: string
  kind: NoticeKind
  aboutAt: number
  queuedAt: number
  state: MembershipNoticeTable['state']
  settledAt: number | null
  messageId: string | null
  sentTo: string | null
  /** The amounts and dates the letter named. */
  told: Record<string, string>
}

type NewNotice = Pick<MembershipNotice, 'accountId' | 'membershipId' | 'kind' | 'aboutAt'>

/** The id of a notice that was never given before; null when it was. */
export async function insertNotice(db: Db, notice: NewNotice, now: number): Promise<string | null> {
  const row = await db
    .insertInto('membership_notice')
    .values({
      id: newId(now),
      account_id: notice.accountId,
      membership_id: notice.membershipId,
      kind: notice.kind,
      about_at: notice.aboutAt,
      queued_at: now,
      state: 'queued',
      settled_at: null,
      message_id: null,
      sent_to: null,
      told: null,
    })
    .onConflict((conflict) => conflict.columns(['membership_id', 'kind', 'about_at']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id ?? null
}

export async function findNotice(db: Db, id: string): Promise<MembershipNotice | null> {
  const row = await db.selectFrom('membership_notice').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? toNotice(row) : null
}

/** Oldest first. */
export async function listNotices(db: Db, accountId: string): Promise<MembershipNotice[]> {
  const rows = await db
    .selectFrom('membership_notice')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('queued_at')
    .orderBy('id')
    .execute()
  return rows.map(toNotice)
}

/** What was told so far about these memberships: 'membership kind instant'. */
export async function listNoticeKeys(db: Db, membershipIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (membershipIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('membership_notice')
    .select(['membership_id', 'kind', 'about_at'])
    .where('membership_id', 'in', membershipIds)
    .execute()
  return new Set(rows.map((row) => noticeKey(row.membership_id, { kind: row.kind, aboutAt: row.about_at })))
}

export function noticeKey(membershipId: string, { kind, aboutAt }: { kind: string; aboutAt: number }): string {
  return `${membershipId} ${kind} ${aboutAt}`
}

/** Notes that another email says it already. */
export async function withholdNotice(db: Db, notice: Parameters<typeof insertNotice>[1], now: number): Promise<void> {
  const id = await insertNotice(db, notice, now)
  if (id) await markNoticeDropped(db, id, now)
}

/** Keeps the proof that a mail server took the letter. */
export async function markNoticeSent(
  db: Db,
  id: string,
  proof: { at: number; messageId: string; sentTo: string; told: Record<string, string> },
): Promise<void> {
  await db
    .updateTable('membership_notice')
    .set({
      state: 'sent',
      settled_at: proof.at,
      message_id: proof.messageId,
      sent_to: proof.sentTo,
      told: JSON.stringify(proof.told),
    })
    .where('id', '=', id)
    .execute()
}

/** It was no longer true when it was about to be sent. */
export async function markNoticeDropped(db: Db, id: string, at: number): Promise<void> {
  await db.updateTable('membership_notice').set({ state: 'dropped', settled_at: at }).where('id', '=', id).execute()
}

function toNotice(row: MembershipNoticeTable): MembershipNotice {
  return {
    id: row.id,
    accountId: row.account_id,
    membershipId: row.membership_id,
    kind: row.kind as NoticeKind,
    aboutAt: row.about_at,
    queuedAt: row.queued_at,
    state: row.state,
    settledAt: row.settled_at,
    messageId: row.message_id,
    sentTo: row.sent_to,
    told: row.told === null ? {} : (JSON.parse(row.told) as Record<string, string>),
  }
}
