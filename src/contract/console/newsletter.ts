import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { MOST_IMPORT_BYTES } from './console-import.ts'
import { emailField, lineField, linkField, pictureAddressField, textField } from './fields.ts'
import { messages } from './messages.ts'

/** Calls of the officers' console about the newsletter: composing, sending, and who gets it. */

export const newsletterLimits = {
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

// Parentheses end a link of Markdown.
const NO_PARENTHESES = /^[^()]*$/
const blockLinkField = linkField.check(z.regex(NO_PARENTHESES, messages.address.link))
const blockPictureField = pictureAddressField.check(z.regex(NO_PARENTHESES, messages.address.pictureAddress))
const words = {
  required: 'Please write something, or remove this block',
  short: 'Please write something, or remove this block',
  long: 'This is too long for one block',
}

export const newsletterBlock = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('text'),
    markdown: textField(words, { min: 1, max: newsletterLimits.markdown }),
  }),
  z.object({
    kind: z.literal('picture'),
    src: blockPictureField,
    alt: lineField('Please say what the picture shows', 300),
  }),
  z.object({ kind: z.literal('event'), id: lineField('Please choose an event', 100) }),
  z.object({ kind: z.literal('news'), id: lineField('Please choose a news item', 100) }),
  z.object({
    kind: z.literal('button'),
    label: lineField('Please write what the button says', 80),
    url: blockLinkField,
  }),
])
export type NewsletterBlock = z.infer<typeof newsletterBlock>

const NEWSLETTER_STATES = ['draft', 'scheduled', 'sending', 'paused', 'finished', 'archived'] as const

const newsletterEntry = z.object({
  id: z.string(),
  name: z.string(),
  subject: z.string(),
  /** `archived`: in the archive without having been sent from here. */
  state: z.enum(NEWSLETTER_STATES),
  updatedAt: z.string(),
  sentAt: z.nullable(z.string()),
  scheduledFor: z.nullable(z.string()),
})
export type NewsletterEntry = z.infer<typeof newsletterEntry>

const newsletterDetail = z.extend(newsletterEntry, {
  snippet: z.string(),
  /** null: it was not composed here. */
  blocks: z.nullable(z.array(newsletterBlock)),
  version: z.int(),
  /** Who is subscribed now. */
  readers: z.int(),
  /** Why a scheduled one did not begin. */
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
  /** What blocks may show. */
  choices: z.object({
    events: z.array(z.object({ id: z.string(), title: z.string() })),
    news: z.array(z.object({ id: z.string(), title: z.string() })),
  }),
})
export type NewsletterDetail = z.infer<typeof newsletterDetail>

const shared = { access: 'officer', permission: 'newsletter.send' } as const

export const listNewsletters = endpoint({
  ...shared,
  name: 'listNewsletters',
  method: 'GET',
  path: '/api/console/newsletters',
  summary: 'All newsletters, those not sent first',
  reply: z.object({ newsletters: z.array(newsletterEntry) }),
  failures: [],
})

export const beginNewsletter = endpoint({
  ...shared,
  name: 'beginNewsletter',
  method: 'POST',
  path: '/api/console/newsletters',
  summary: 'Begins a newsletter',
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
  summary: 'One newsletter: its blocks, or how far it has gone out',
  params: idParams,
  reply: newsletterDetail,
  failures: ['NOT_FOUND'],
})

const newsletterWords = {
  name: lineField('Please give it a title', newsletterLimits.name),
  subject: lineField('Please write a subject', newsletterLimits.subject),
  snippet: lineField('Please write the line that mail programs show after the subject', newsletterLimits.snippet),
  blocks: z.array(newsletterBlock).check(z.maxLength(newsletterLimits.blocks, 'These are too many blocks')),
}

export const saveNewsletter = endpoint({
  ...shared,
  name: 'saveNewsletter',
  method: 'PUT',
  path: '/api/console/newsletters/:id',
  summary: 'Changes a newsletter that was not sent',
  params: idParams,
  body: z.object({ ...newsletterWords, version: versionField }),
  reply: newsletterDetail,
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE', 'NEWSLETTER_FIXED'],
})

/** The address works without a bearer for a quarter of an hour, so that a frame without any rights can show it. */
export const previewNewsletter = endpoint({
  ...shared,
  name: 'previewNewsletter',
  method: 'GET',
  path: '/api/console/newsletters/:id/preview',
  summary: 'The letter as it would be mailed: an address for a frame, and its text',
  params: idParams,
  reply: z.object({ subject: z.string(), path: z.string(), text: z.string() }),
  failures: ['NOT_FOUND'],
})

export const testNewsletter = endpoint({
  ...shared,
  name: 'testNewsletter',
  method: 'POST',
  path: '/api/console/newsletters/:id/test',
  summary: 'Mails the letter to the caller alone',
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
  asksAgain: true,
  summary: 'Sends a newsletter to everybody who is subscribed, now or at an hour of the association’s clock',
  params: idParams,
  body: z.object({
    version: versionField,
    /** `YYYY-MM-DDTHH:MM`; null: now. */
    at: z.nullable(
      z.string('Please choose when').check(z.regex(/^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d$/, 'Please choose when')),
    ),
  }),
  reply: newsletterDetail,
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE', 'NEWSLETTER_FIXED', 'NOBODY_SUBSCRIBED'],
})

export const steerNewsletter = endpoint({
  ...shared,
  name: 'steerNewsletter',
  method: 'PUT',
  path: '/api/console/newsletters/:id/mailing',
  summary: 'Takes a schedule back, pauses, resumes, or sends uncertain copies again',
  params: idParams,
  body: z.object({ wish: z.enum(['unschedule', 'pause', 'resume', 'again'], messages.text.unreadable) }),
  reply: newsletterDetail,
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE'],
})

export const SUBSCRIBER_STATES = ['subscribed', 'pending', 'left', 'bounced', 'complained'] as const

const subscriber = z.object({
  id: z.string(),
  email: z.string(),
  state: z.enum(SUBSCRIBER_STATES),
  /** Where the request came from. */
  source: z.string(),
  askedAt: z.string(),
  /** When the owner agreed; null: never. */
  confirmedAt: z.nullable(z.string()),
  leftAt: z.nullable(z.string()),
  /** Of an address that came in a list: when it was imported, and the day and source of the consent as far as the list states them. */
  imported: z.nullable(
    z.object({ at: z.string(), consentOn: z.nullable(z.string()), consentSource: z.nullable(z.string()) }),
  ),
})
export type ListedSubscriber = z.infer<typeof subscriber>

export const listSubscribers = endpoint({
  ...shared,
  name: 'listSubscribers',
  method: 'GET',
  path: '/api/console/subscribers',
  summary: 'Who gets the newsletter, where they asked for it and when they agreed; the latest first',
  query: z.object({
    state: z._default(z.enum(SUBSCRIBER_STATES, messages.text.unreadable), 'subscribed'),
    q: z.optional(lineField(messages.text.unreadable, 100)),
    page: z._default(
      z.coerce.number(messages.text.number).check(z.int(messages.text.number), z.gte(1), z.lte(100_000)),
      1,
    ),
  }),
  reply: z.object({
    subscribers: z.array(subscriber),
    counts: z.record(z.enum(SUBSCRIBER_STATES), z.int()),
    hasMore: z.boolean(),
  }),
  failures: [],
})

/** Nobody is subscribed without their own yes: the address is asked by letter. */
export const askSubscriber = endpoint({
  ...shared,
  name: 'askSubscriber',
  method: 'POST',
  path: '/api/console/subscribers',
  summary: 'Asks an address by letter whether it wants the newsletter',
  body: z.object({ email: emailField }),
  reply: z.object({ email: z.string() }),
  failures: ['SUPPRESSED'],
})

export const takeOffSubscriber = endpoint({
  ...shared,
  name: 'takeOffSubscriber',
  method: 'POST',
  path: '/api/console/subscribers/:id/off',
  summary: 'Takes an address off the list, as if its owner had left',
  params: idParams,
  body: z.object({}),
  reply: z.object({ email: z.string() }),
  failures: ['NOT_FOUND'],
})

const importedCounts = z.object({
  /** Addresses that are new, and how many of them have a day of consent. */
  added: z.int(),
  dated: z.int(),
  /** On the list already, in whatever state: they stay as they are. */
  known: z.int(),
  /** Asked not to be written to, or their email came back. */
  suppressed: z.int(),
  wrong: z.int(),
})
export type ImportedCounts = z.infer<typeof importedCounts>

const readerFile = z.object({
  /** Of the file's bytes: what is imported is what was looked at. */
  digest: z.string(),
  counts: importedCounts,
  /** The first of them. */
  wrong: z.array(z.object({ line: z.int(), cell: z.string(), sentence: z.string(), cure: z.string() })),
})
export type ReaderFile = z.infer<typeof readerFile>

export const checkReaders = endpoint({
  ...shared,
  name: 'checkReaders',
  method: 'POST',
  path: '/api/console/subscriber-import-file',
  summary: 'Looks at a CSV file of people who agreed to get the newsletter, the body as it is; adds nobody',
  uploadBytes: MOST_IMPORT_BYTES,
  reply: readerFile,
  failures: ['TOO_LARGE'],
})

/** The association states their consent; nobody on the suppression list is added. */
export const importReaders = endpoint({
  ...shared,
  name: 'importReaders',
  method: 'POST',
  path: '/api/console/subscriber-imports',
  asksAgain: true,
  summary:
    'Adds the people of a file that was looked at, each with the day and source of the consent as the file states them',
  query: z.object({
    filename: lineField(messages.text.unreadable, 200),
    digest: z.string().check(z.regex(/^[0-9a-f]{64}$/, messages.text.unreadable)),
    /** The officer says so for the association. */
    consent: z.literal('stated', 'Please say that these people agreed'),
  }),
  uploadBytes: MOST_IMPORT_BYTES,
  reply: readerFile,
  status: 201,
  failures: ['TOO_LARGE', 'CHANGED_MEANWHILE'],
})
