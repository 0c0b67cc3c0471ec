import { EMAIL_TOPICS, TOPIC_DEFAULTS, type EmailTopic } from '#contract/public/my-account/email-topics.ts'
import type { Db } from '#server/db/database.ts'

/** What a member wants to be sent, by topic. */
export async function listTopicChoices(db: Db, accountId: string): Promise<{ topic: EmailTopic; isWanted: boolean }[]> {
  const rows = await db
    .selectFrom('emailTopicChoice')
    .select(['topic', 'isWanted'])
    .where('accountId', '=', accountId)
    .execute()
  const chosen = new Map(rows.map(({ topic, isWanted }) => [topic, isWanted === 1]))
  return EMAIL_TOPICS.map((topic) => ({ topic, isWanted: chosen.get(topic) ?? TOPIC_DEFAULTS[topic] }))
}

/** The accounts that chose otherwise than the default of the topic. @param ids only these; omitted for all */
export async function listTopicExceptions(
  db: Db,
  topic: EmailTopic,
  ids?: readonly string[],
): Promise<ReadonlySet<string>> {
  let query = db
    .selectFrom('emailTopicChoice')
    .select('accountId')
    .where('topic', '=', topic)
    .where('isWanted', '=', TOPIC_DEFAULTS[topic] ? 0 : 1)
  if (ids) query = query.where('accountId', 'in', ids)
  return new Set((await query.execute()).map(({ accountId }) => accountId))
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
