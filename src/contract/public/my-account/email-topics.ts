import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { lineField } from '#contract/fields.ts'
import { messages } from '#contract/messages.ts'

/** What emails to members are about. Members may switch each topic off; notices to members cannot be. */
export interface EmailTopic {
  /** Never changes: choices, emails and links to unsubscribe refer to it. */
  key: string
  name: string
  /** One sentence for members. */
  about: string
  /** An advertisement: sent only to those who asked for it, and named as one. The others go to everyone who did not switch them off. */
  isOffer: boolean
}

/** A topic as stored: officers retire topics of their own. */
export type StoredEmailTopic = EmailTopic & { isRetired: boolean }

/** The topics that every association has, besides its own. */
export const COMMON_TOPICS: readonly EmailTopic[] = [
  { key: 'news', name: 'News for members', about: 'What the association does and decides.', isOffer: false },
  { key: 'events', name: 'Events', about: 'Invitations to meetings, talks and evenings.', isOffer: false },
  {
    key: 'offers',
    name: 'Offers',
    about: 'Advertisements of our sponsors and partners. Off until you switch them on.',
    isOffer: true,
  },
]

const TOPIC_KEY = /^[a-z0-9-]{1,60}$/
/** The key of a topic; whether it is known depends on the association. */
export const topicKey = z.string(messages.text.unreadable).check(z.regex(TOPIC_KEY, messages.text.unreadable))

export const topicChoice = z.object({ topic: z.string(), name: z.string(), about: z.string(), isWanted: z.boolean() })

export const setEmailTopic = endpoint({
  name: 'setEmailTopic',
  method: 'PUT',
  path: '/api/account/emails/topics',
  access: 'member',
  summary: 'Switch emails about a topic on or off for the caller. Idempotent',
  body: z.object({
    topic: topicKey,
    isWanted: z.boolean(messages.text.unreadable),
  }),
  reply: z.object({ topics: z.array(topicChoice) }),
  failures: ['NOT_FOUND'],
})

/** Sent by the button behind the unsubscribe link of an email to members. Idempotent, and the link never expires. */
export const unsubscribeFromTopic = endpoint({
  name: 'unsubscribeFromTopic',
  method: 'POST',
  path: '/api/member-emails/unsubscribe',
  access: 'anyone',
  summary: 'Unsubscribe from a topic by the link in an email to members',
  body: z.object({ token: lineField(messages.link.required, 200) }),
  reply: z.object({ topic: z.string(), name: z.string() }),
  failures: ['NEWSLETTER_LINK_INVALID'],
})
