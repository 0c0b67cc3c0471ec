import * as z from 'zod/mini'
import { endpoint, fileEndpoint } from '../endpoint.ts'
import { IMPORT_MAX_BYTES } from './import.ts'
import { emailField, lineField } from '../fields.ts'
import { messages } from '../messages.ts'
import { pageField, sizeField } from './newsletter.ts'

/** Console endpoints of the newsletter's subscribers. */

const shared = { access: 'officer', permission: 'newsletter.send' } as const
const idParams = z.object({ id: lineField(messages.text.unreadable, 64) })

export const SUBSCRIBER_STATES = ['subscribed', 'pending', 'left', 'bounced', 'complained'] as const

const SOURCE_NAMES: Record<string, string> = {
  homepage: 'Home page',
  'newsletter-page': 'Newsletter page',
  'subscribe-page': 'Subscribe page',
  account: 'Account',
  officer: 'An officer',
  import: 'Import',
}

/** Where a subscription was requested, for officers; one of another site's forms as it was sent. */
export function sourceName(source: string): string {
  return SOURCE_NAMES[source] ?? source
}

const subscriber = z.object({
  id: z.string(),
  email: z.string(),
  state: z.enum(SUBSCRIBER_STATES),
  /** Where the subscription was requested. */
  source: z.string(),
  askedAt: z.string(),
  /** When the subscriber confirmed; null if never. */
  confirmedAt: z.nullable(z.string()),
  leftAt: z.nullable(z.string()),
  /** For an imported address: when it was imported, and the date and source of consent stated in the file. */
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
  summary: 'List subscribers, where they subscribed and when they confirmed, newest first',
  query: z.object({
    state: z._default(z.enum(SUBSCRIBER_STATES, messages.text.unreadable), 'subscribed'),
    q: z.optional(lineField(messages.text.unreadable, 100)),
    page: pageField,
    size: sizeField,
  }),
  reply: z.object({
    subscribers: z.array(subscriber),
    counts: z.record(z.enum(SUBSCRIBER_STATES), z.int()),
    /** Total on all pages. */
    total: z.int(),
  }),
  failures: [],
})

/** Exports addresses: requires a second factor and is recorded in the audit log. */
export const exportSubscribers = fileEndpoint({
  ...shared,
  name: 'exportSubscribers',
  method: 'GET',
  path: '/api/console/subscribers/export',
  requiresFreshFactor: true,
  summary: 'Export the matching subscribers as CSV, each with the recorded consent',
  query: z.object({
    state: z._default(z.enum(SUBSCRIBER_STATES, messages.text.unreadable), 'subscribed'),
    q: z.optional(lineField(messages.text.unreadable, 100)),
  }),
  media: 'text/csv',
  failures: [],
})

/** No one is subscribed without confirming: the address gets an email with a link. */
export const inviteSubscriber = endpoint({
  ...shared,
  name: 'askSubscriber',
  method: 'POST',
  path: '/api/console/subscribers',
  summary: 'Email an address to ask whether it wants the newsletter',
  body: z.object({ email: emailField }),
  reply: z.object({ email: z.string() }),
  failures: ['SUPPRESSED'],
})

export const unsubscribeByOfficer = endpoint({
  ...shared,
  name: 'takeOffSubscriber',
  method: 'POST',
  path: '/api/console/subscribers/:id/off',
  summary: 'Unsubscribe an address',
  params: idParams,
  body: z.object({}),
  reply: z.object({ email: z.string() }),
  failures: ['NOT_FOUND'],
})

const importedCounts = z.object({
  /** New addresses, and how many of them have a consent date. */
  added: z.int(),
  dated: z.int(),
  /** Addresses that are already on the list in any state; they are unchanged. */
  known: z.int(),
  /** Unsubscribed or bounced addresses. */
  suppressed: z.int(),
  wrong: z.int(),
})
export type ImportedCounts = z.infer<typeof importedCounts>

const readerFile = z.object({
  /** Hash of the file, so that the import uses the file that was checked. */
  digest: z.string(),
  counts: importedCounts,
  /** The first invalid rows. */
  wrong: z.array(z.object({ line: z.int(), cell: z.string(), sentence: z.string(), cure: z.string() })),
})
export type SubscriberFile = z.infer<typeof readerFile>

export const checkSubscriberFile = endpoint({
  ...shared,
  name: 'checkReaders',
  method: 'POST',
  path: '/api/console/subscriber-import-file',
  summary: 'Check a CSV file of consenting subscribers, sent as the raw body; adds no one',
  uploadBytes: IMPORT_MAX_BYTES,
  reply: readerFile,
  failures: ['TOO_LARGE'],
})

/** The association vouches for their consent. Suppressed addresses are not added. */
export const importSubscriberFile = endpoint({
  ...shared,
  name: 'importReaders',
  method: 'POST',
  path: '/api/console/subscriber-imports',
  requiresFreshFactor: true,
  summary: 'Import the subscribers of a checked file, each with the consent date and source stated in the file',
  query: z.object({
    filename: lineField(messages.text.unreadable, 200),
    digest: z.string().check(z.regex(/^[0-9a-f]{64}$/, messages.text.unreadable)),
    /** The officer's statement on behalf of the association. */
    consent: z.literal('stated', 'Please confirm that these people agreed'),
  }),
  uploadBytes: IMPORT_MAX_BYTES,
  reply: readerFile,
  status: 201,
  failures: ['TOO_LARGE', 'CHANGED_MEANWHILE'],
})
