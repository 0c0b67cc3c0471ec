import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Document, isNode, LineCounter, parseDocument } from 'yaml'
import * as z from 'zod/mini'
import { peopleKinds, wordKinds, type ContentKind } from './content-kinds.ts'
import {
  accountsSchema,
  campaignsSchema,
  messagesSchema,
  pageSchema,
  sponsorshipsSchema,
  subscribersSchema,
  type ContentFiles,
  type SampleFiles,
} from './content-schemas.ts'

/** A mistake in a file under `content/`: names the file, the line, the field and the cure. */
export class ContentError extends Error {}

/** Reads and checks everything under `content/` but the samples. @throws ContentError */
export function readContentFiles(directory: string): ContentFiles {
  return { ...readKinds(directory, wordKinds), pages: readPages(join(directory, 'pages')) }
}

/** The invented people. @throws ContentError */
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

/** Every page of a folder, a Markdown file each. @throws ContentError */
export function readPages(folder: string): ContentFiles['pages'] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => readPage(join(folder, name)))
}

function readPage(file: string): ContentFiles['pages'][number] {
  const { facts, body } = readWithFacts(file, pageSchema)
  return { ...facts, slug: basename(file, '.md'), markdown: body }
}

/** A file of words that begins with a block of facts between two lines of `---`. @throws ContentError */
export function readWithFacts<S extends z.core.$ZodObject>(
  file: string,
  schema: S,
): { facts: z.core.output<S>; body: string } {
  const match = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(readFileSync(file, 'utf8').replaceAll('\r\n', '\n'))
  if (!match) {
    throw new ContentError(`${file}: begin with a block of ${requiredNames(schema)} between two lines of ---.`)
  }
  // The block begins on the second line.
  return { facts: check(file, schema, match[1] ?? '', 1), body: (match[2] ?? '').trim() }
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
  const faults = result.error.issues.map(({ path, message }) => {
    const line = lines.linePos(offsetOf(document, path)).line + linesBefore
    return `  line ${line}, ${path.join('.') || 'the whole'}: ${message}`
  })
  throw new ContentError(`${file} cannot be used:\n${faults.join('\n')}`)
}

/** Where a field stands; where it is missing, what it is missing from. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  for (let depth = path.length; depth >= 0; depth--) {
    const node: unknown = document.getIn(path.slice(0, depth), true)
    if (isNode(node) && node.range) return node.range[0]
  }
  return 0
}
