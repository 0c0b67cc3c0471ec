import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { addressField, lineField, recaptchaTokenField } from './fields.ts'
import { messages } from './messages.ts'

/** With the newsletter pages' own sentence for an empty field. */
const email = addressField(messages.newsletter.required)

const reply = z.object({ success: z.boolean(), message: z.string() })

/** The same answer for every address; a letter asks its owner to confirm (docs/product-rules.md#double-opt-in). */
export const subscribe = endpoint({
  name: 'subscribe',
  method: 'POST',
  path: '/api/newsletter/subscribe',
  access: 'anyone',
  summary: 'Ask for the newsletter',
  body: z.object({
    email,
    /** Which form it was. */
    source: z.optional(z.string().check(z.regex(/^[\w-]{0,40}$/, messages.text.unreadable))),
    recaptchaToken: recaptchaTokenField,
  }),
  reply,
  reportsSuccess: true,
  failures: ['BOT_CHECK_FAILED', 'BOT_CHECK_UNAVAILABLE'],
})

/** Effective at once, with the same answer for every address (docs/product-rules.md#unsubscribing). */
export const unsubscribe = endpoint({
  name: 'unsubscribe',
  method: 'POST',
  path: '/api/newsletter/unsubscribe',
  access: 'anyone',
  summary: 'Leave the newsletter',
  body: z.object({ email }),
  reply,
  reportsSuccess: true,
  failures: [],
})

/** What the button behind a newsletter's own link sends; may be repeated, and never grows old. */
export const leaveNewsletter = endpoint({
  name: 'leaveNewsletter',
  method: 'POST',
  path: '/api/newsletter/leave',
  access: 'anyone',
  summary: 'Leave the newsletter by the link of a letter',
  body: z.object({ token: lineField(messages.link.required, 200) }),
  reply,
  reportsSuccess: true,
  failures: ['NEWSLETTER_LINK_INVALID'],
})

/** What the button on /newsletter/confirm sends: the token of a letter. May be repeated. */
export const confirmSubscription = endpoint({
  name: 'confirmSubscription',
  method: 'POST',
  path: '/api/newsletter/confirm',
  access: 'anyone',
  summary: 'Confirm a subscription, or take leaving back',
  body: z.object({ token: lineField(messages.link.required, 200) }),
  reply,
  reportsSuccess: true,
  failures: ['NEWSLETTER_LINK_EXPIRED'],
})

/** What a mail provider tells of letters that came back and of complaints; shows the key that `newsletter webhook` prints. */
export const mailBounces = endpoint({
  name: 'mailBounces',
  method: 'POST',
  path: '/api/newsletter/bounces',
  access: 'signed',
  summary: "A mail provider's notices of returned mail, as JSON or as the returned mail itself",
  reply: z.object({ taken: z.int() }),
  failures: ['WEBHOOK_REFUSED'],
})
