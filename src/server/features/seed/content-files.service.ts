import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Document, isNode, LineCounter, parse, parseDocument } from 'yaml'
import * as z from 'zod/mini'
import type { ContentKind } from '#server/features/content-store/content-kind.rules.ts'
import { slug } from '#server/features/content-store/kinds/fields.schema.ts'
import { pageKind } from '#server/features/content-store/kinds/text.kinds.ts'
import { recordSet, type PublishedRecords } from '#server/features/content-store/record-set.rules.ts'
import { levelsSchema, type LevelsFile } from '#server/features/levels/level.schema.ts'
import { fileFormats, LEVELS_FILE, PAGES_FOLDER, type FileFormat, type KindRecords } from './content-format.registry.ts'
import { profileDirectory } from '#server/config/profiles.ts'
import {
  accountsSchema,
  campaignsSchema,
  membersSchema,
  messagesSchema,
  recordsSchema,
  picturesSchema,
  rsvpsSchema,
  sponsorshipsSchema,
  subscribersSchema,
  type MoreSampleFiles,
  type SampleFiles,
} from './samples.schema.ts'

/** A mistake in a file under `content/`. The message names the file, the line, the field and how to fix it. */
export class ContentError extends Error {}

/** What an empty database is seeded with. */
export interface ContentFiles {
  levels: LevelsFile
  kinds: KindRecords[]
  /** The same, with the types of their schemas. */
  records: PublishedRecords
}

/**
 * Reads and validates a profile but for its samples. What it leaves out, a file, a page or a field of the settings, comes from `base`.
 * @throws ContentError
 */
export function readContentFiles(directory: string, base = profileDirectory('neutral')): ContentFiles {
  const formats = fileFormats.filter(({ isSample }) => !isSample)
  const kinds = formats.flatMap((format) => readProfileKinds(directory, base, format))
  const records = kinds.flatMap(({ kind: { kind }, records: found }) =>
    found.map((record) => ({ ...record, kind, revision: null })),
  )
  const levels = readContentFile(join(ownerOf(LEVELS_FILE, directory, base), LEVELS_FILE), levelsSchema)
  return { levels, kinds, records: recordSet(records) }
}

function readProfileKinds(directory: string, base: string, format: FileFormat): KindRecords[] {
  const { name, schema, toRecords } = format
  const isParts = format.kinds.some(({ file }) => file.part !== undefined)
  if (isParts && ownerOf(name, directory, base) === directory)
    return toRecords(
      checkFile(join(directory, name), schema, { defaults: parse(readFileSync(join(base, name), 'utf8')) }),
      '',
    )
  const [own = [], shared = []] = [directory, base].map((folder) =>
    existsSync(join(folder, name)) ? readKinds(folder, format, '') : [],
  )
  if (name !== PAGES_FOLDER) return own.length > 0 ? own : shared
  return own.length === 0
    ? shared
    : own.map(({ kind, records }) => ({
        kind,
        records: withMissing(records, shared.find((one) => one.kind === kind)?.records ?? []),
      }))
}

/** The folder that a file of a profile is read from. */
function ownerOf(name: string, directory: string, base: string): string {
  return existsSync(join(directory, name)) ? directory : base
}

function withMissing(own: KindRecords['records'], shared: KindRecords['records']): KindRecords['records'] {
  const known = new Set(own.map(({ id }) => id))
  return [...own, ...shared.filter(({ id }) => !known.has(id))]
}

/** Reads the sample records; their relative dates count from `today`. @throws ContentError */
export function readSampleRecords(directory: string, today: string): KindRecords[] {
  const formats = fileFormats.filter(({ isSample }) => isSample)
  const records = formats.flatMap((format) => readKinds(join(directory, 'samples'), format, today))
  return [...records, readSamplePages(directory)]
}

/** What samples may add to a page, by its id: words of invented people and an invented history. */
const pageSamplesSchema = z.record(slug, z.pick(pageKind.schema, { quote: true, timelineTitle: true, timeline: true }))

/** The pages to which the samples add something. @throws ContentError */
function readSamplePages(directory: string): KindRecords {
  const samples = readContentFile(join(directory, 'samples', 'pages.yaml'), pageSamplesSchema)
  const pages = readPages(join(directory, PAGES_FOLDER), pageKind).filter(({ id }) => id in samples)
  return {
    kind: pageKind,
    records: pages.map(({ id, value }) => ({ id, value: { ...(value as object), ...samples[id] } })),
  }
}

/** Reads the other sample data. @throws ContentError */
export function readSampleFiles(directory: string): SampleFiles {
  const samples = join(directory, 'samples')
  return {
    accounts: readContentFile(join(samples, 'accounts.yaml'), accountsSchema),
    sponsorships: readContentFile(join(samples, 'sponsorships.yaml'), sponsorshipsSchema),
    messages: readContentFile(join(samples, 'messages.yaml'), messagesSchema),
    rsvps: readContentFile(join(samples, 'rsvps.yaml'), rsvpsSchema),
    newsletter: {
      ...readContentFile(join(samples, 'newsletter.yaml'), subscribersSchema),
      campaigns: readContentFile(join(samples, 'campaigns.yaml'), campaignsSchema),
    },
  }
}

/** Reads the list of sample pictures. @throws ContentError */
export function readSamplePictures(directory: string): z.infer<typeof picturesSchema> {
  return readContentFile(join(directory, 'samples', 'pictures.yaml'), picturesSchema)
}

/** Reads the samples of a site that looks as in use. @throws ContentError */
export function readMoreSampleFiles(directory: string): MoreSampleFiles {
  const more = join(directory, 'samples', 'more')
  return {
    members: readContentFile(join(more, 'members.yaml'), membersSchema),
    sponsorships: readContentFile(join(more, 'sponsorships.yaml'), sponsorshipsSchema),
    records: readContentFile(join(more, 'records.yaml'), recordsSchema),
    messages: readContentFile(join(more, 'messages.yaml'), messagesSchema),
  }
}

/** Reads one file of a folder, or the folder of pages. @throws ContentError */
export function readKinds(folder: string, format: FileFormat, today: string): KindRecords[] {
  const path = join(folder, format.name)
  if (format.name === PAGES_FOLDER) return format.kinds.map((kind) => ({ kind, records: readPages(path, kind) }))
  return format.toRecords(readContentFile(path, format.schema), today)
}

/** @throws ContentError */
export function readContentFile<S extends z.core.$ZodType>(file: string, schema: S): z.core.output<S> {
  return checkFile(file, schema)
}

function checkFile<S extends z.core.$ZodType>(file: string, schema: S, options?: CheckOptions): z.core.output<S> {
  return check(file, schema, readFileSync(file, 'utf8'), options)
}

/** One Markdown file each; its name is the id. */
function readPages(folder: string, kind: ContentKind): KindRecords['records'] {
  const frontMatterSchema = z.omit(kind.schema as typeof pageKind.schema, { markdown: true })
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => {
      const { frontMatter, body } = readFrontMatter(join(folder, name), frontMatterSchema)
      return { id: basename(name, '.md'), value: { ...frontMatter, markdown: body } }
    })
}

/** Reads a Markdown file with YAML front matter between two lines of `---`. @throws ContentError */
export function readFrontMatter<S extends z.core.$ZodObject>(
  file: string,
  schema: S,
): { frontMatter: z.core.output<S>; body: string } {
  const match = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(readFileSync(file, 'utf8').replaceAll('\r\n', '\n'))
  if (!match) {
    throw new ContentError(`${file}: start the file with ${requiredNames(schema)} between two lines of ---.`)
  }
  // The front matter starts on line 2.
  return { frontMatter: check(file, schema, match[1] ?? '', { linesBefore: 1 }), body: (match[2] ?? '').trim() }
}

/** 'title, description and version'. */
function requiredNames(schema: z.core.$ZodObject): string {
  const names = z.safeParse(schema, {}).error?.issues.map(({ path }) => String(path[0])) ?? []
  return new Intl.ListFormat('en-GB').format(names)
}

interface CheckOptions {
  linesBefore?: number
  /** For the fields that the file leaves out, also of maps within maps. */
  defaults?: unknown
}

function check<S extends z.core.$ZodType>(
  file: string,
  schema: S,
  text: string,
  { linesBefore = 0, defaults }: CheckOptions = {},
): z.core.output<S> {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  const [broken] = document.errors
  if (broken) throw new ContentError(`${file}: ${broken.message}`)
  const result = z.safeParse(schema, withDefaults(document.toJS(), defaults))
  if (result.success) return result.data
  const problems = result.error.issues.map(({ path, message }) => {
    const line = lines.linePos(offsetOf(document, path)).line + linesBefore
    return `  line ${line}, ${path.join('.') || 'the whole file'}: ${message}`
  })
  throw new ContentError(`${file} cannot be used:\n${problems.join('\n')}`)
}

function withDefaults(value: unknown, defaults: unknown): unknown {
  if (!isMap(value) || !isMap(defaults)) return value === undefined ? defaults : value
  return {
    ...defaults,
    ...Object.fromEntries(Object.entries(value).map(([name, own]) => [name, withDefaults(own, defaults[name])])),
  }
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The offset of a field; if it is missing, of its parent. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  for (let depth = path.length; depth >= 0; depth--) {
    const node: unknown = document.getIn(path.slice(0, depth), true)
    if (isNode(node) && node.range) return node.range[0]
  }
  return 0
}
