import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { lineField } from '#contract/fields.ts'
import { messages } from '#contract/messages.ts'

/**
 * Importing posts, pages and events of a former website. The officer's browser reads the export and sends what it found: the file itself, which also has
 * the addresses of authors and commenters, stays there (decision record 67). Nothing is stored as content until an officer confirms it.
 */

export const IMPORT_SOURCES = ['wordpress', 'ghost', 'calendar'] as const
export type ImportSource = (typeof IMPORT_SOURCES)[number]

/** The largest export that the browser reads. */
export const EXPORT_MAX_BYTES = 100 * 1024 * 1024
export const EXPORT_TOO_LARGE =
  'The file is larger than 100 MB. Export in parts, such as one year or only posts at a time.'
export const EXPORT_UNREADABLE =
  'This is not an export that can be read. Choose the XML file of WordPress, the JSON file of Ghost or an ICS file of a calendar.'
/** What the browser sends: the texts without markup. */
export const TEXTS_MAX_BYTES = 12 * 1024 * 1024
export const TEXTS_TOO_LARGE =
  'The file has more than 12 MB of text. Export in parts, such as one year or only posts at a time.'
export const IMPORT_MAX_ITEMS = 2_000
/** Rows of the report on a page. */
export const ITEMS_PER_PAGE = 50
export const KEPT_ITEMS_SHOWN = 50
/** Days until a file that was not imported is deleted. */
export const UNCONFIRMED_IMPORT_DAYS = 30
/** The longest text of a page or a news item, in characters. */
export const IMPORTED_TEXT_MAX = 40_000

export const IMPORT_KINDS = ['news', 'page', 'event'] as const
export type ImportKind = (typeof IMPORT_KINDS)[number]

const text = (max: number) => z.string(messages.text.unreadable).check(z.maxLength(max, messages.text.unreadable))
const address = text(2_000)

const importItem = z.object({
  kind: z.enum(IMPORT_KINDS),
  /** Its URL on the former website, or the UID of an event of a calendar: the same one is imported once. */
  address: address.check(z.minLength(1, messages.text.unreadable)),
  /** Other old paths, such as `/?p=12`. */
  otherPaths: z.array(address).check(z.maxLength(5, messages.text.unreadable)),
  title: text(1_000),
  /** The last part of its old path; empty if it has none. */
  slug: text(300),
  isPublished: z.boolean(),
  /** `YYYY-MM-DD`; empty if there is none. Of an event as text, such as `December 12-14, 2026`. */
  date: text(100),
  author: text(300),
  excerpt: text(20_000),
  /** Markdown, with the URLs of pictures and links as the former website had them. */
  text: text(400_000),
  /** URL of the picture at the top; empty if there is none. */
  picture: address,
  pictureAlt: text(1_000),
  /** Of an event. */
  time: text(100),
  location: text(1_000),
  /** Sentences about what is left out. */
  notes: z.array(text(500)).check(z.maxLength(20, messages.text.unreadable)),
  /** Why it cannot be imported; empty if it can. */
  obstacle: text(500),
})
export type ImportItem = z.infer<typeof importItem>

/** The body of `checkContentImport`, as JSON in UTF-8. */
export const foundContent = z.object({
  source: z.enum(IMPORT_SOURCES),
  /** The address of the former website, such as `https://www.example.org`; empty for a calendar. */
  site: address,
  items: z.array(importItem).check(z.maxLength(IMPORT_MAX_ITEMS, messages.text.unreadable)),
  /** What the file has besides, such as menu items. */
  leftOut: z.array(z.object({ what: text(200), count: z.int() })).check(z.maxLength(100, messages.text.unreadable)),
})
export type FoundContent = z.infer<typeof foundContent>

/** `new`: was published; `draft`: was not; `known`: imported before; `wrong`: cannot be imported. */
export const ITEM_VERDICTS = ['new', 'draft', 'known', 'wrong'] as const
export type ItemVerdict = (typeof ITEM_VERDICTS)[number]

export const ITEM_RESULTS = ['draft', 'published', 'failed', 'removed'] as const
export type ItemResult = (typeof ITEM_RESULTS)[number]

const importLine = z.object({
  id: z.string(),
  source: z.enum(IMPORT_SOURCES),
  filename: z.string(),
  site: z.string(),
  /** `checked`: nothing imported yet. */
  state: z.enum(['checked', 'running', 'done']),
  /** The officer who chose the file. */
  by: z.string(),
  createdAt: z.string(),
  undoneAt: z.nullable(z.string()),
  counts: z.record(z.enum(ITEM_VERDICTS), z.int()),
})
export type ContentImportLine = z.infer<typeof importLine>

const importReport = z.extend(importLine, {
  leftOut: z.array(z.object({ what: z.string(), count: z.int() })),
  takesDrafts: z.boolean(),
  publishes: z.boolean(),
  progress: z.object({ done: z.int(), total: z.int() }),
  results: z.record(z.enum(ITEM_RESULTS), z.int()),
  /** Old addresses that lead to imported pages, once the import is finished. */
  redirects: z.int(),
  pictures: z.object({
    /** How many the texts have, each counted once. */
    found: z.int(),
    stored: z.int(),
    /** Those that could not be fetched. */
    failed: z.array(z.object({ url: z.string(), reason: z.string() })),
  }),
  rows: z.array(
    z.object({
      line: z.int(),
      kind: z.enum(IMPORT_KINDS),
      title: z.string(),
      address: z.string(),
      date: z.string(),
      verdict: z.enum(ITEM_VERDICTS),
      result: z.nullable(z.enum(ITEM_RESULTS)),
      notes: z.array(z.string()),
      /** Its page in the console; null if there is none. */
      path: z.nullable(z.string()),
    }),
  ),
  /** Rows of the verdict that was asked for. */
  total: z.int(),
  /** What an undo would do now; null until the import is finished. */
  undo: z.nullable(
    z.object({
      removes: z.int(),
      keeps: z.int(),
      /** The first of those that it keeps, because they were changed since. */
      kept: z.array(z.object({ title: z.string(), path: z.string() })),
    }),
  ),
  undoBegunAt: z.nullable(z.string()),
  undoneBy: z.nullable(z.string()),
})
export type ContentImportReport = z.infer<typeof importReport>

const params = z.object({ id: lineField(messages.text.unreadable, 64) })
const forOfficers = { access: 'officer', permission: 'content.change' } as const

export const listContentImports = endpoint({
  ...forOfficers,
  name: 'listContentImports',
  method: 'GET',
  path: '/api/console/content-imports',
  summary: 'List recent imports of posts, pages and events, newest first',
  reply: z.object({ imports: z.array(importLine) }),
  failures: [],
})

export const checkContentImport = endpoint({
  ...forOfficers,
  name: 'checkContentImport',
  method: 'POST',
  path: '/api/console/content-import-file',
  summary:
    'Check what was found in an export, sent as JSON in the raw body, and report what each row would do; imports nothing',
  query: z.object({ filename: lineField(messages.text.unreadable, 200) }),
  uploadBytes: TEXTS_MAX_BYTES,
  tooLarge: TEXTS_TOO_LARGE,
  reply: importReport,
  status: 201,
  failures: ['TOO_LARGE'],
})

export const getContentImport = endpoint({
  ...forOfficers,
  name: 'getContentImport',
  method: 'GET',
  path: '/api/console/content-imports/:id',
  summary: 'Get the report of an import, with a page of its rows, and its progress',
  params,
  query: z.object({
    verdict: z.optional(z.enum(ITEM_VERDICTS)),
    /** Starts at 1. */
    page: z.optional(z.string().check(z.regex(/^[1-9]\d{0,3}$/, messages.text.unreadable))),
  }),
  reply: importReport,
  failures: ['NOT_FOUND'],
})

export const confirmContentImport = endpoint({
  ...forOfficers,
  name: 'confirmContentImport',
  method: 'POST',
  path: '/api/console/content-imports/:id/confirm',
  requiresFreshFactor: true,
  summary: 'Import the rows in the background; idempotent',
  params,
  body: z.object({
    /** Also imports what was a draft or private. */
    takesDrafts: z.boolean(),
    /** Publishes what was published; everything else arrives as a draft. */
    publishes: z.boolean(),
  }),
  reply: importReport,
  failures: ['NOT_FOUND'],
})

export const undoContentImport = endpoint({
  ...forOfficers,
  name: 'undoContentImport',
  method: 'POST',
  path: '/api/console/content-imports/:id/undo',
  requiresFreshFactor: true,
  summary: 'Delete in the background what an import made and no one changed since; idempotent',
  params,
  body: z.object({}),
  reply: importReport,
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE'],
})

export const deleteContentImport = endpoint({
  ...forOfficers,
  name: 'deleteContentImport',
  method: 'DELETE',
  path: '/api/console/content-imports/:id',
  summary: 'Delete a file that was not imported',
  params,
  status: 204,
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE'],
})

/** The host of a former website, as people write it. */
export function hostOf(site: string): string {
  return URL.canParse(site) ? new URL(site).host.replace(/^www\./, '') : site
}
