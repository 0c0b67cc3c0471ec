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

/** Newsletter systems whose exports are recognized by their headings. */
const READER_SYSTEMS = ['mailchimp', 'ghost', 'constant-contact', 'sender'] as const
export type ReaderSystem = (typeof READER_SYSTEMS)[number]
export const READER_SYSTEM_NAMES: Record<ReaderSystem, string> = {
  mailchimp: 'Mailchimp',
  ghost: 'Ghost',
  'constant-contact': 'Constant Contact',
  sender: 'Sender.net',
}

/** What an officer says about all people of a list: as each row says, that none of them agreed, or that none of them may be written to. */
export const WHOLE_LISTS = ['file', 'none', 'unsubscribed', 'bounced', 'complained'] as const
export type WholeList = (typeof WHOLE_LISTS)[number]

/** What an import does with an address; VERDICT_SENTENCES of the server says it in words. */
const READER_VERDICTS = ['added', 'known', 'suppressed', 'no-consent', 'blocked', 'ended', 'newer-consent'] as const
export type ReaderVerdict = (typeof READER_VERDICTS)[number]

const importedCounts = z.object({
  /** New addresses, and how many of them have a consent date. */
  added: z.int(),
  dated: z.int(),
  /** Addresses that are already on the list in any state; they are unchanged. */
  known: z.int(),
  /** Addresses that are on the do-not-email list already. */
  suppressed: z.int(),
  /** Addresses that unsubscribed, bounced or complained elsewhere, now recorded. */
  blocked: z.int(),
  /** Subscribers here who did so elsewhere, and are unsubscribed here too. */
  ended: z.int(),
  /** Subscribers here who did so elsewhere, but confirmed here after that. */
  newerConsent: z.int(),
  /** Addresses that did not agree elsewhere. */
  noConsent: z.int(),
  wrong: z.int(),
})
export type ImportedCounts = z.infer<typeof importedCounts>

const readerFile = z.object({
  /** Hash of the file, so that the import uses the file that was checked. */
  digest: z.string(),
  /** Whose export it is; null for another system. */
  system: z.nullable(z.enum(READER_SYSTEMS)),
  counts: importedCounts,
  /** A CSV with the verdict of each row, safe to open in a spreadsheet. */
  verdicts: z.string(),
  /** The first invalid rows. */
  wrong: z.array(z.object({ line: z.int(), cell: z.string(), sentence: z.string(), cure: z.string() })),
})
export type SubscriberFile = z.infer<typeof readerFile>

const fileQuery = {
  filename: z._default(lineField(messages.text.unreadable, 200), ''),
  list: z._default(z.enum(WHOLE_LISTS, messages.text.unreadable), 'file'),
}

export const checkSubscriberFile = endpoint({
  ...shared,
  name: 'checkReaders',
  method: 'POST',
  path: '/api/console/subscriber-import-file',
  summary: 'Check a CSV file of subscribers and of people who unsubscribed, sent as the raw body; changes nothing',
  query: z.object(fileQuery),
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
  summary: 'Import the subscribers of a checked file with their consent, and record who unsubscribed or bounced',
  query: z.object({
    ...fileQuery,
    digest: z.string().check(z.regex(/^[0-9a-f]{64}$/, messages.text.unreadable)),
    /** The officer's statement on behalf of the association. */
    consent: z.literal('stated', 'Please confirm that these people agreed'),
  }),
  uploadBytes: IMPORT_MAX_BYTES,
  reply: readerFile,
  status: 201,
  failures: ['TOO_LARGE', 'CHANGED_MEANWHILE'],
})

export const listSubscriberImports = endpoint({
  ...shared,
  name: 'listReaderImports',
  method: 'GET',
  path: '/api/console/subscriber-imports/recent',
  summary: 'List the imports of subscribers of the last 30 days, newest first',
  reply: z.object({
    imports: z.array(
      z.object({
        id: z.string(),
        filename: z.string(),
        system: z.nullable(z.enum(READER_SYSTEMS)),
        counts: importedCounts,
        at: z.string(),
        by: z.string(),
        undoneAt: z.nullable(z.string()),
        undoneBy: z.nullable(z.string()),
      }),
    ),
  }),
  failures: [],
})

export const undoSubscriberImport = endpoint({
  ...shared,
  name: 'undoReaderImport',
  method: 'POST',
  path: '/api/console/subscriber-imports/:id/undo',
  requiresFreshFactor: true,
  summary: 'Undo an import of subscribers where nothing has changed since',
  params: idParams,
  body: z.object({}),
  reply: z.object({
    undone: z.int(),
    /** Addresses whose owners acted since, or that something was sent to. */
    kept: z.int(),
  }),
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE'],
})
