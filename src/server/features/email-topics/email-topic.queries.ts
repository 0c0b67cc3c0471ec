import { sql, type RawBuilder } from 'kysely'
import { NOTICE } from '#contract/console/emails/member-emails.ts'
import type { EmailTopic, StoredEmailTopic } from '#contract/public/my-account/email-topics.ts'
import type { Db } from '#server/db/database.ts'
import { topicsInUse } from './email-topics.rules.ts'

/** What a member wants to be sent, of these topics. */
export async function listTopicChoices(
  db: Db,
  accountId: string,
  topics: readonly EmailTopic[],
): Promise<{ topic: string; name: string; about: string; isWanted: boolean }[]> {
  const rows = await db
    .selectFrom('emailTopicChoice')
    .select(['topic', 'isWanted'])
    .where('accountId', '=', accountId)
    .execute()
  const chosen = new Map(rows.map(({ topic, isWanted }) => [topic, isWanted === 1]))
  return topics.map(({ key, name, about, isOffer }) => ({
    topic: key,
    name,
    about,
    isWanted: chosen.get(key) ?? !isOffer,
  }))
}

/** Who of these accounts wants emails about a topic: everyone for a notice, no one for a topic that is not in use. */
export async function wantsTopic(
  db: Db,
  { key, own }: { key: string; own: readonly StoredEmailTopic[] },
  ids: readonly string[],
): Promise<(accountId: string) => boolean> {
  if (key === NOTICE) return () => true
  const topic = topicsInUse(own).find((one) => one.key === key)
  if (!topic) return () => false
  const rows = await choseOtherwise(db, topic).where('accountId', 'in', ids).execute()
  const exceptions = new Set(rows.map(({ accountId }) => accountId))
  return (accountId) => exceptions.has(accountId) === topic.isOffer
}

/** The same in SQL, for a query with `listed` members. */
export function wantsTopicSql(
  db: Db,
  { key, own }: { key: string; own: readonly StoredEmailTopic[] },
): RawBuilder<number> {
  if (key === NOTICE) return sql<number>`1`
  const topic = topicsInUse(own).find((one) => one.key === key)
  if (!topic) return sql<number>`0`
  const otherwise = sql`listed.account_id in (${choseOtherwise(db, topic)})`
  return topic.isOffer
    ? sql<number>`case when ${otherwise} then 1 else 0 end`
    : sql<number>`case when ${otherwise} then 0 else 1 end`
}

/** The accounts that chose otherwise than the topic's default. */
function choseOtherwise(db: Db, { key, isOffer }: EmailTopic) {
  return db
    .selectFrom('emailTopicChoice')
    .select('accountId')
    .where('topic', '=', key)
    .where('isWanted', '=', isOffer ? 1 : 0)
}

/** The choices that a merge moves: those of topics for which the account that stays has none. */
export async function listMovingTopicChoices(db: Db, { from, to }: { from: string; to: string }): Promise<string[]> {
  const rows = await db
    .selectFrom('emailTopicChoice')
    .select('id')
    .where('accountId', '=', from)
    .where('topic', 'not in', (eb) => eb.selectFrom('emailTopicChoice').select('topic').where('accountId', '=', to))
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}
