import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import { topicChoice } from './email-topics.ts'

/** `pending`: the address was entered, and its owner has not confirmed yet. `bounced`: the address returned newsletters. */
export const memberNewsletter = z.enum(['subscribed', 'pending', 'off', 'bounced'])
export type MemberNewsletter = z.infer<typeof memberNewsletter>

const sentEmail = z.object({
  /** What it was about, such as 'Receipt'; the subject of a newsletter or an email to members. */
  what: z.string(),
  isNewsletter: z.boolean(),
  at: z.string(),
  /** `sent`: a mail server took it. Whether it was read is not recorded. */
  state: z.enum(['waiting', 'sent', 'bounced', 'failed']),
})
export type SentEmail = z.infer<typeof sentEmail>

/** Emails to the member's address. */
export const listMemberEmails = endpoint({
  name: 'listMemberEmails',
  method: 'GET',
  path: '/api/account/emails',
  access: 'member',
  inView: 'members.look',
  summary: "The caller's newsletter subscription and recent emails",
  reply: z.object({
    newsletter: memberNewsletter,
    /** Emails to members that can be switched off. */
    topics: z.array(topicChoice),
    /** Newest first, at most ten. */
    recent: z.array(sentEmail),
  }),
  failures: [],
})

/**
 * Subscribing sends the email that every subscriber confirms (docs/product-rules.md#double-opt-in); unsubscribing takes effect immediately. Idempotent
 * but for those emails.
 */
export const setMemberNewsletter = endpoint({
  name: 'setMemberNewsletter',
  method: 'PUT',
  path: '/api/account/emails/newsletter',
  access: 'member',
  summary: 'Subscribe the caller to the newsletter, or unsubscribe',
  body: z.object({ isWanted: z.boolean(messages.text.unreadable) }),
  reply: z.object({ newsletter: memberNewsletter }),
  failures: [],
})
