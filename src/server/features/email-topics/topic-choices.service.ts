import type { AppContext } from '#server/app-context.ts'
import { EMAIL_TOPICS, type EmailTopic } from '#contract/public/my-account/email-topics.ts'
import { newId } from '#server/lib/ids.ts'
import { Problem } from '#server/lib/problem.ts'
import { equalSecrets, type Secrets } from '#server/lib/secrets.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import { saveTopicChoice } from './email-topic.commands.ts'
import { listTopicChoices } from './email-topic.queries.ts'

/** The token of the unsubscribe link in an email about a topic. Never expires, and can only switch this topic off for this account. */
export function createTopicToken(secrets: Secrets, accountId: string, topic: EmailTopic): string {
  const payload = `${accountId}.${topic}`
  return `${payload}.${secrets.sign('email-topic', payload)}`
}

function readTopicToken(secrets: Secrets, token: string): { accountId: string; topic: EmailTopic } | null {
  const [accountId = '', name = '', mac = '', ...more] = token.split('.')
  const topic = EMAIL_TOPICS.find((one) => one === name)
  const isOurs = more.length === 0 && equalSecrets(mac, secrets.sign('email-topic', `${accountId}.${name}`))
  return isOurs && topic ? { accountId, topic } : null
}

/** What members want to be sent, besides notices. */
export function createTopicChoices({ db, clock, secrets }: AppContext) {
  async function set(accountId: string, topic: EmailTopic, isWanted: boolean): Promise<void> {
    const now = clock.now()
    await saveTopicChoice(db, { id: newId(now), accountId, topic, isWanted }, now)
  }

  return {
    /** Idempotent. Returns what the member wants now. */
    async choose(accountId: string, topic: EmailTopic, isWanted: boolean) {
      await set(accountId, topic, isWanted)
      return listTopicChoices(db, accountId)
    },

    /** Unsubscribes by the link in an email. Idempotent. @throws Problem NEWSLETTER_LINK_INVALID */
    async unsubscribeByToken(token: string): Promise<EmailTopic> {
      const link = readTopicToken(secrets, token)
      const account = link && (await findAccount(db, link.accountId))
      if (!link || !account) throw new Problem('NEWSLETTER_LINK_INVALID')
      await set(link.accountId, link.topic, false)
      return link.topic
    },
  }
}

export type TopicChoices = ReturnType<typeof createTopicChoices>
