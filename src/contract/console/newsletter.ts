import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { lineField, linkField, pictureAddressField, textField } from '../fields.ts'
import { messages } from '../messages.ts'

/** Console endpoints of the newsletter: composing and sending. */

const newsletterLimits = {
  name: 120,
  subject: 150,
  snippet: 200,
  markdown: 20_000,
  blocks: 60,
  page: 50,
} as const

const idField = lineField(messages.text.unreadable, 64)
const idParams = z.object({ id: idField })
const versionField = z.int(messages.text.number)

// Parentheses would end a Markdown link.
const NO_PARENTHESES = /^[^()]*$/
const blockLinkField = linkField.check(z.regex(NO_PARENTHESES, messages.address.link))
const blockPictureField = pictureAddressField.check(z.regex(NO_PARENTHESES, messages.address.pictureAddress))
const contentFields = {
  required: 'Please write something, or remove this block',
  short: 'Please write something, or remove this block',
  long: 'This is too long for one block',
}

export const newsletterBlock = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('text'),
    markdown: textField(contentFields, { min: 1, max: newsletterLimits.markdown }),
  }),
  z.object({
    kind: z.literal('picture'),
    src: blockPictureField,
    alt: lineField('Please describe the image', 300),
  }),
  z.object({ kind: z.literal('event'), id: lineField('Please choose an event', 100) }),
  z.object({ kind: z.literal('news'), id: lineField('Please choose a news item', 100) }),
  z.object({
    kind: z.literal('button'),
    label: lineField('Please enter the button label', 80),
    url: blockLinkField,
  }),
])
export type NewsletterBlock = z.infer<typeof newsletterBlock>

const NEWSLETTER_STATES = ['draft', 'scheduled', 'sending', 'paused', 'finished', 'archived'] as const

export const newsletterEntry = z.object({
  id: z.string(),
  name: z.string(),
  subject: z.string(),
  /** `archived`: in the archive, but not sent from this site. */
  state: z.enum(NEWSLETTER_STATES),
  updatedAt: z.string(),
  sentAt: z.nullable(z.string()),
  scheduledFor: z.nullable(z.string()),
  /** The results of its copies; null before it is sent from this site. */
  results: z.nullable(
    z.object({
      recipients: z.int(),
      /** Copies that a mail server accepted and that did not come back. */
      delivered: z.int(),
      bounced: z.int(),
      /** Recipients who unsubscribed before the next newsletter was sent. */
      unsubscribed: z.int(),
    }),
  ),
})
export type NewsletterEntry = z.infer<typeof newsletterEntry>

/** What the editor shows of a newsletter and of an email to members alike. */
export const campaignDetail = z.extend(newsletterEntry, {
  snippet: z.string(),
  /** null if it was not composed here. */
  blocks: z.nullable(z.array(newsletterBlock)),
  version: z.int(),
  /** Why a scheduled newsletter was not sent. */
  refused: z.nullable(z.string()),
  mailing: z.nullable(
    z.object({
      recipients: z.int(),
      accepted: z.int(),
      waiting: z.int(),
      bounced: z.int(),
      failed: z.int(),
      uncertain: z.int(),
      skipped: z.int(),
      lastError: z.nullable(z.string()),
    }),
  ),
  /** Content that blocks can show. */
  choices: z.object({
    events: z.array(z.object({ id: z.string(), title: z.string() })),
    news: z.array(z.object({ id: z.string(), title: z.string() })),
  }),
})
export type CampaignDetail = z.infer<typeof campaignDetail>

const newsletterDetail = z.extend(campaignDetail, {
  /** Number of current subscribers. */
  readers: z.int(),
  /** Everyone who is or was on the list, by why they get it or not. */
  audience: z.object({
    subscribed: z.int(),
    pending: z.int(),
    left: z.int(),
    bounced: z.int(),
    complained: z.int(),
  }),
})
export type NewsletterDetail = z.infer<typeof newsletterDetail>

export const NEWSLETTER_TABS = ['all', 'drafts', 'scheduled', 'sent'] as const
export type NewsletterTab = (typeof NEWSLETTER_TABS)[number]

export const pageField = z._default(
  z.coerce.number(messages.text.number).check(z.int(messages.text.number), z.gte(1), z.lte(100_000)),
  1,
)
export const sizeField = z._default(z.coerce.number(messages.text.number).check(z.int(), z.gte(1), z.lte(100)), 25)

const shared = { access: 'officer', permission: 'newsletter.send' } as const

export const listNewsletters = endpoint({
  ...shared,
  name: 'listNewsletters',
  method: 'GET',
  path: '/api/console/newsletters',
  summary: 'List newsletters with their results, unsent ones first',
  query: z.object({
    tab: z._default(z.enum(NEWSLETTER_TABS, messages.text.unreadable), 'all'),
    q: z.optional(lineField(messages.text.unreadable, 100)),
    page: pageField,
    size: sizeField,
  }),
  reply: z.object({
    newsletters: z.array(newsletterEntry),
    total: z.int(),
    counts: z.object({ all: z.int(), drafts: z.int(), scheduled: z.int(), sent: z.int() }),
    subscribers: z.int(),
  }),
  failures: [],
})

export const createNewsletter = endpoint({
  ...shared,
  name: 'beginNewsletter',
  method: 'POST',
  path: '/api/console/newsletters',
  summary: 'Create a newsletter',
  body: z.object({ name: lineField('Please give it a title', newsletterLimits.name) }),
  reply: newsletterDetail,
  status: 201,
  failures: [],
})

export const getNewsletter = endpoint({
  ...shared,
  name: 'getNewsletter',
  method: 'GET',
  path: '/api/console/newsletters/:id',
  summary: 'Get a newsletter with its blocks or its delivery progress',
  params: idParams,
  reply: newsletterDetail,
  failures: ['NOT_FOUND'],
})

const newsletterText = {
  name: lineField('Please give it a title', newsletterLimits.name),
  subject: lineField('Please write a subject', newsletterLimits.subject),
  snippet: lineField('Please enter the preview text that inboxes show after the subject', newsletterLimits.snippet),
  blocks: z.array(newsletterBlock).check(z.maxLength(newsletterLimits.blocks, 'There are too many blocks')),
}

export const newsletterBody = z.object({ ...newsletterText, version: versionField })

export const saveNewsletter = endpoint({
  ...shared,
  name: 'saveNewsletter',
  method: 'PUT',
  path: '/api/console/newsletters/:id',
  summary: 'Change an unsent newsletter',
  params: idParams,
  body: newsletterBody,
  reply: newsletterDetail,
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE', 'NEWSLETTER_FIXED'],
})

/** The URL works without a bearer token for 15 minutes, so that a sandboxed frame can show it. */
export const previewNewsletter = endpoint({
  ...shared,
  name: 'previewNewsletter',
  method: 'GET',
  path: '/api/console/newsletters/:id/preview',
  summary: 'Preview the newsletter email: a URL for a frame, and its text',
  params: idParams,
  reply: z.object({ subject: z.string(), path: z.string(), html: z.string(), text: z.string() }),
  failures: ['NOT_FOUND'],
})

export const testNewsletter = endpoint({
  ...shared,
  name: 'testNewsletter',
  method: 'POST',
  path: '/api/console/newsletters/:id/test',
  summary: 'Email the newsletter to the caller only',
  params: idParams,
  body: z.object({}),
  reply: z.object({ email: z.string() }),
  failures: ['NOT_FOUND'],
})

export const sendNewsletter = endpoint({
  ...shared,
  name: 'sendNewsletter',
  method: 'POST',
  path: '/api/console/newsletters/:id/send',
  requiresFreshFactor: true,
  summary: 'Send a newsletter to all subscribers, now or at a time in the association’s time zone',
  params: idParams,
  body: z.object({
    version: versionField,
    /** `YYYY-MM-DDTHH:MM`; null to send now. */
    at: z.nullable(
      z.string('Please choose when').check(z.regex(/^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d$/, 'Please choose when')),
    ),
  }),
  reply: newsletterDetail,
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE', 'NEWSLETTER_FIXED', 'NOBODY_SUBSCRIBED'],
})

export const controlNewsletter = endpoint({
  ...shared,
  name: 'steerNewsletter',
  method: 'PUT',
  path: '/api/console/newsletters/:id/mailing',
  summary: 'Unschedule, pause, resume, or resend unconfirmed copies',
  params: idParams,
  body: z.object({ wish: z.enum(['unschedule', 'pause', 'resume', 'again'], messages.text.unreadable) }),
  reply: newsletterDetail,
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE'],
})
