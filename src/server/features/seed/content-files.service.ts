import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Document, isNode, LineCounter, parseDocument } from 'yaml'
import * as z from 'zod/mini'
import { peopleKinds, textKinds, type ContentKind } from '#server/features/content/content-kinds.registry.ts'
import {
  accountsSchema,
  campaignsSchema,
  messagesSchema,
  pageSchema,
  sponsorshipsSchema,
  subscribersSchema,
  type ContentFiles,
  type SampleFiles,
} from '#server/features/content-store/content.schema.ts'

/** A mistake in a file under `content/`. The message names the file, the line, the field and how to fix it. */
export class ContentError extends Error {}

/** Reads and validates everything under `content/` except the samples. @throws ContentError */
export function readContentFiles(directory: string): ContentFiles {
  return { ...readKinds(directory, textKinds), pages: readPages(join(directory, 'pages')) }
}

/** Reads the sample data. @throws ContentError */
export function readSampleFiles(directory: string): SampleFiles {
  const samples = join(directory, 'samples')
  return {
    ...readKinds(samples, peopleKinds),
    accounts: readContentFile(join(samples, 'accounts.yaml'), accountsSchema),
    sponsorships: readContentFile(join(samples, 'sponsorships.yaml'), sponsorshipsSchema),
    messages: readContentFile(join(samples, 'messages.yaml'), messagesSchema),
    newsletter: {
      ...readContentFile(join(samples, 'newsletter.yaml'), subscribersSchema),
      campaigns: readContentFile(join(samples, 'campaigns.yaml'), campaignsSchema),
    },
  }
}

type Values<Kinds> = { [Name in keyof Kinds]: Kinds[Name] extends ContentKind<infer S> ? z.core.output<S> : never }

function readKinds<Kinds extends Record<string, { file: string; schema: z.core.$ZodType }>>(
  folder: string,
  kinds: Kinds,
): Values<Kinds> {
  const entries = Object.entries(kinds).map(([name, { file, schema }]) => [
    name,
    readContentFile(join(folder, file), schema),
  ])
  return Object.fromEntries(entries) as Values<Kinds>
}

/** @throws ContentError */
export function readContentFile<S extends z.core.$ZodType>(file: string, schema: S): z.core.output<S> {
  return check(file, schema, readFileSync(file, 'utf8'), 0)
}

/** Reads the pages of a folder, one Markdown file each. @throws ContentError */
export function readPages(folder: string): ContentFiles['pages'] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => readPage(join(folder, name)))
}

function readPage(file: string): ContentFiles['pages'][number] {
  const { frontMatter: fields, body } = readFrontMatter(file, pageSchema)
  return { ...fields, slug: basename(file, '.md'), markdown: body }
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
  return { frontMatter: check(file, schema, match[1] ?? '', 1), body: (match[2] ?? '').trim() }
}

/** 'title, description and version'. */
function requiredNames(schema: z.core.$ZodObject): string {
  const names = z.safeParse(schema, {}).error?.issues.map(({ path }) => String(path[0])) ?? []
  return new Intl.ListFormat('en-GB').format(names)
}

function check<S extends z.core.$ZodType>(
  file: string,
  schema: S,
  text: string,
  linesBefore: number,
): z.core.output<S> {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  const [broken] = document.errors
  if (broken) throw new ContentError(`${file}: ${broken.message}`)
  const result = z.safeParse(schema, document.toJS())
  if (result.success) return result.data
  const problems = result.error.issues.map(({ path, message }) => {
    const line = lines.linePos(offsetOf(document, path)).line + linesBefore
    return `  line ${line}, ${path.join('.') || 'the whole file'}: ${message}`
  })
  throw new ContentError(`${file} cannot be used:\n${problems.join('\n')}`)
}

/** The offset of a field; if it is missing, of its parent. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  for (let depth = path.length; depth >= 0; depth--) {
    const node: unknown = document.getIn(path.slice(0, depth), true)
    if (isNode(node) && node.range) return node.range[0]
  }
  return 0
}
