import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { addressField, lineField, recaptchaTokenField } from '../fields.ts'
import { messages } from '../messages.ts'

/** An email field with the newsletter pages' own message if it is empty. */
const email = addressField(messages.newsletter.required)

const reply = z.object({ success: z.boolean(), message: z.string() })

/** The same response for every address; an email asks its owner to confirm (docs/product-rules.md#double-opt-in). */
export const subscribe = endpoint({
  name: 'subscribe',
  method: 'POST',
  path: '/api/newsletter/subscribe',
  access: 'anyone',
  summary: 'Subscribe to the newsletter',
  body: z.object({
    email,
    /** The form that was used. */
    source: z.optional(z.string().check(z.regex(/^[\w-]{0,40}$/, messages.text.unreadable))),
    recaptchaToken: recaptchaTokenField,
  }),
  reply,
  reportsSuccess: true,
  failures: ['BOT_CHECK_FAILED', 'BOT_CHECK_UNAVAILABLE'],
})

/** Takes effect immediately, with the same response for every address (docs/product-rules.md#unsubscribing). */
export const unsubscribe = endpoint({
  name: 'unsubscribe',
  method: 'POST',
  path: '/api/newsletter/unsubscribe',
  access: 'anyone',
  summary: 'Unsubscribe from the newsletter',
  body: z.object({ email }),
  reply,
  reportsSuccess: true,
  failures: [],
})

/** Sent by the button behind the unsubscribe link of a newsletter. Idempotent, and the link never expires. */
export const unsubscribeByLink = endpoint({
  name: 'leaveNewsletter',
  method: 'POST',
  path: '/api/newsletter/leave',
  access: 'anyone',
  summary: 'Unsubscribe by the link in a newsletter',
  body: z.object({ token: lineField(messages.link.required, 200) }),
  reply,
  reportsSuccess: true,
  failures: ['NEWSLETTER_LINK_INVALID'],
})

/** Sent by the button on /newsletter/confirm, with the token of the email. Idempotent. */
export const confirmSubscription = endpoint({
  name: 'confirmSubscription',
  method: 'POST',
  path: '/api/newsletter/confirm',
  access: 'anyone',
  summary: 'Confirm a subscription, or undo unsubscribing',
  body: z.object({ token: lineField(messages.link.required, 200) }),
  reply,
  reportsSuccess: true,
  failures: ['NEWSLETTER_LINK_EXPIRED'],
})

/** Bounce and complaint reports of a mail provider, authenticated by the key that `newsletter webhook` prints. */
export const receiveBounces = endpoint({
  name: 'mailBounces',
  method: 'POST',
  path: '/api/newsletter/bounces',
  access: 'signed',
  summary: "Receive a mail provider's bounce reports, as JSON or as the bounced email itself",
  reply: z.object({ taken: z.int() }),
  failures: ['WEBHOOK_REFUSED'],
})
