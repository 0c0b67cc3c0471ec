import type { PersonalData } from '#contract/public/account-data.ts'
import type { Db } from '#server/db/database.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'
import { toIso, toIsoOrNull } from './personal-data.rules.ts'

/** What is stored about the emails a person gets: the newsletter, and emails to members. */

export async function newsletter(db: Db, email: string): Promise<PersonalData['newsletter']> {
  const row = await db.selectFrom('subscriber').selectAll().where('emailKey', '=', nameKey(email)).executeTakeFirst()
  if (!row) return null
  return {
    email: row.email,
    state: row.state,
    source: row.source,
    askedAt: toIso(row.askedAt),
    confirmedAt: toIsoOrNull(row.confirmedAt),
    leftAt: toIsoOrNull(row.leftAt),
    importedAt: toIsoOrNull(row.importedAt),
    consentOn: row.consentOn,
    consentSource: row.consentSource,
  }
}

export async function emailTopics(db: Db, accountId: string): Promise<PersonalData['emailTopics']> {
  const rows = await db
    .selectFrom('emailTopicChoice')
    .select(['topic', 'isWanted', 'chosenAt'])
    .where('accountId', '=', accountId)
    .orderBy('chosenAt')
    .execute()
  return rows.map(({ topic, isWanted, chosenAt }) => ({ topic, isWanted: isWanted === 1, chosenAt: toIso(chosenAt) }))
}

export async function emailsToMembers(db: Db, accountId: string): Promise<PersonalData['emailsToMembers']> {
  return db
    .selectFrom('memberEmailRecipient as recipient')
    .innerJoin('campaign', 'campaign.id', 'recipient.campaignId')
    .leftJoin('delivery', (join) =>
      join
        .onRef('delivery.campaignId', '=', 'recipient.campaignId')
        .onRef('delivery.recipientId', '=', 'recipient.accountId'),
    )
    .select(['campaign.subject', 'recipient.way', 'recipient.postedOn', 'delivery.email as sentTo', 'delivery.state'])
    .where('recipient.accountId', '=', accountId)
    .orderBy('campaign.createdAt')
    .execute()
}
