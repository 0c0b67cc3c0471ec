import type { AppContext } from '#server/app-context.ts'
import type { EmailTopic } from '#contract/public/my-account/email-topics.ts'
import { newId } from '#server/lib/ids.ts'
import { Problem } from '#server/lib/problem.ts'
import { equalSecrets, type Secrets } from '#server/lib/secrets.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import { saveTopicChoice } from './email-topic.commands.ts'
import { findTopic, topicsInUse } from './email-topics.rules.ts'
import { listTopicChoices } from './email-topic.queries.ts'

/** The token of the unsubscribe link in an email about a topic. Never expires, and can only switch this topic off for this account. */
export function createTopicToken(secrets: Secrets, accountId: string, topic: string): string {
  const payload = `${accountId}.${topic}`
  return `${payload}.${secrets.sign('email-topic', payload)}`
}

function readTopicToken(secrets: Secrets, token: string): { accountId: string; topic: string } | null {
  const [accountId = '', topic = '', mac = '', ...more] = token.split('.')
  const isOurs = more.length === 0 && equalSecrets(mac, secrets.sign('email-topic', `${accountId}.${topic}`))
  return isOurs ? { accountId, topic } : null
}

/** What members want to be sent, besides notices. */
export function createTopicChoices({ db, clock, secrets, cache }: AppContext) {
  const own = () => cache.content().emailTopics

  async function set(accountId: string, topic: string, isWanted: boolean): Promise<void> {
    const now = clock.now()
    await saveTopicChoice(db, { id: newId(now), accountId, topic, isWanted }, now)
  }

  return {
    /** Idempotent. Returns what the member wants now. @throws Problem NOT_FOUND for a topic that is not in use */
    async choose(accountId: string, topic: string, isWanted: boolean) {
      const topics = topicsInUse(own())
      if (!topics.some(({ key }) => key === topic)) throw new Problem('NOT_FOUND')
      await set(accountId, topic, isWanted)
      return listTopicChoices(db, accountId, topics)
    },

    /** Unsubscribes by the link in an email. Idempotent. @throws Problem NEWSLETTER_LINK_INVALID */
    async unsubscribeByToken(token: string): Promise<EmailTopic> {
      const link = readTopicToken(secrets, token)
      const topic = link && findTopic(own(), link.topic)
      const account = link && (await findAccount(db, link.accountId))
      if (!link || !topic || !account) throw new Problem('NEWSLETTER_LINK_INVALID')
      await set(link.accountId, link.topic, false)
      return topic
    },
  }
}

export type TopicChoices = ReturnType<typeof createTopicChoices>
