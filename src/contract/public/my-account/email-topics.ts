import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { lineField } from '#contract/fields.ts'
import { messages } from '#contract/messages.ts'

/** Emails to members that a member may switch off. Notices to members cannot be. */
export const EMAIL_TOPICS = ['news', 'events', 'offers'] as const
export type EmailTopic = (typeof EMAIL_TOPICS)[number]

/** What a member gets who has chosen nothing: advertisements only on request. */
export const TOPIC_DEFAULTS: Record<EmailTopic, boolean> = { news: true, events: true, offers: false }

export const EMAIL_TOPIC_NAMES: Record<EmailTopic, { name: string; about: string }> = {
  news: { name: 'News for members', about: 'What the association does and decides.' },
  events: { name: 'Events', about: 'Invitations to meetings, talks and evenings.' },
  offers: { name: 'Offers', about: 'Advertisements of our sponsors and partners. Off until you switch them on.' },
}

export const topicChoice = z.object({ topic: z.enum(EMAIL_TOPICS), isWanted: z.boolean() })

export const setEmailTopic = endpoint({
  name: 'setEmailTopic',
  method: 'PUT',
  path: '/api/account/emails/topics',
  access: 'member',
  summary: 'Switch emails about a topic on or off for the caller. Idempotent',
  body: z.object({
    topic: z.enum(EMAIL_TOPICS, messages.text.unreadable),
    isWanted: z.boolean(messages.text.unreadable),
  }),
  reply: z.object({ topics: z.array(topicChoice) }),
  failures: [],
})

/** Sent by the button behind the unsubscribe link of an email to members. Idempotent, and the link never expires. */
export const unsubscribeFromTopic = endpoint({
  name: 'unsubscribeFromTopic',
  method: 'POST',
  path: '/api/member-emails/unsubscribe',
  access: 'anyone',
  summary: 'Unsubscribe from a topic by the link in an email to members',
  body: z.object({ token: lineField(messages.link.required, 200) }),
  reply: z.object({ topic: z.enum(EMAIL_TOPICS) }),
  failures: ['NEWSLETTER_LINK_INVALID'],
})
