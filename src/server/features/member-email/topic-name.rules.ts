import { NOTICE, type MemberEmailTopic } from '#contract/console/emails/member-emails.ts'
import type { StoredEmailTopic } from '#contract/public/my-account/email-topics.ts'
import { findTopic } from '#server/features/email-topics/email-topics.rules.ts'

/** The name of what an email is about, for officers and the proof of sending. @param own topics of the association */
export function topicName(own: readonly StoredEmailTopic[], topic: MemberEmailTopic): string {
  return topic === NOTICE ? 'Member notice' : (findTopic(own, topic)?.name ?? topic)
}
