import { COMMON_TOPICS, type EmailTopic, type StoredEmailTopic } from '#contract/public/my-account/email-topics.ts'

/** The topics that members choose, in the order of their account. @param own those of the association */
export function topicsInUse(own: readonly StoredEmailTopic[]): EmailTopic[] {
  return [...COMMON_TOPICS, ...own.filter(({ isRetired }) => !isRetired)]
}

/** A topic, also a retired one: a link to unsubscribe never expires. */
export function findTopic(own: readonly StoredEmailTopic[], key: string): EmailTopic | null {
  return [...COMMON_TOPICS, ...own].find((topic) => topic.key === key) ?? null
}
