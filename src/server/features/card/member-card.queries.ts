import type { Db } from '#server/db/database.ts'
import type { MemberCardTable } from '#server/db/schema/account-schema.ts'

/** null before the member has opened the card. */
export async function findCard(db: Db, accountId: string): Promise<MemberCardTable | null> {
  const row = await db.selectFrom('memberCard').selectAll().where('accountId', '=', accountId).executeTakeFirst()
  return row ?? null
}

/** The card whose code has this hash; null if there is none, or its code was revoked. */
export async function findCardByHash(db: Db, codeHash: string): Promise<MemberCardTable | null> {
  const row = await db
    .selectFrom('memberCard')
    .selectAll()
    .where('codeHash', '=', codeHash)
    .where('revokedAt', 'is', null)
    .executeTakeFirst()
  return row ?? null
}

/** The hashes of the codes by which guests of an event are found at check-in, by RSVP: those of accounts with the address of the RSVP. */
export async function listCardHashes(db: Db, eventId: string): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('rsvp')
    .innerJoin('account', 'account.emailKey', 'rsvp.emailKey')
    .innerJoin('memberCard', 'memberCard.accountId', 'account.id')
    .select(['rsvp.id', 'memberCard.codeHash'])
    .where('rsvp.eventId', '=', eventId)
    .where('account.deactivatedBy', 'is', null)
    .where('memberCard.revokedAt', 'is', null)
    .execute()
  return new Map(rows.map(({ id, codeHash }) => [id, codeHash]))
}
