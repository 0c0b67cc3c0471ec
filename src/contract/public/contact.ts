import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { emailField, lineField, recaptchaTokenField, textField } from '../fields.ts'
import { limits } from '../limits.ts'
import { messages } from '../messages.ts'

/** Fields in the order in which their messages are reported. */
export const contactBody = z.object({
  name: lineField(messages.contact.name, limits.contact.nameMax),
  email: emailField,
  subject: lineField(messages.contact.subject, limits.contact.subjectMax),
  message: textField(messages.contact.message, limits.contact.message),
  recaptchaToken: recaptchaTokenField,
})

/** Stored first, then emailed (docs/product-rules.md#contact-messages). */
export const sendMessage = endpoint({
  name: 'sendMessage',
  method: 'POST',
  path: '/api/contact',
  access: 'anyone',
  summary: 'Send a message to the association',
  body: contactBody,
  reply: z.object({ success: z.boolean(), message: z.string() }),
  reportsSuccess: true,
  failures: ['BOT_CHECK_FAILED', 'BOT_CHECK_UNAVAILABLE'],
})
