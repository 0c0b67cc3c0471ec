import type { Permission } from '#contract/access.ts'
import type { Db } from '#server/db/database.ts'
import { type ReadJson, readJson } from '#server/db/schema/column-values.ts'
import type { MemberEmailTable } from '#server/db/schema/member-email-schema.ts'

/** What is stored of an email to members besides its campaign. */
export type MemberEmail = ReadJson<MemberEmailTable, 'audience'>

export async function findMemberEmail(db: Db, campaignId: string): Promise<MemberEmail | null> {
  const row = await db.selectFrom('memberEmail').selectAll().where('campaignId', '=', campaignId).executeTakeFirst()
  return row ? readJson(row, 'audience') : null
}

/** What an officer needs to send a campaign. */
export async function permissionToSend(db: Db, campaignId: string): Promise<Permission> {
  const email = await findMemberEmail(db, campaignId)
  if (!email) return 'newsletter.send'
  return email.topic === 'notice' ? 'members.notify' : 'members.email'
}
