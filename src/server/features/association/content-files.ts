import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parse } from 'yaml'
import * as z from 'zod/mini'
import {
  accountsSchema,
  committeesSchema,
  faqSchema,
  figuresSchema,
  leadersSchema,
  levelsSchema,
  noticeSchema,
  pageSchema,
  pastPresidentsSchema,
  type ContentFiles,
  type SampleFiles,
} from './content-schemas.ts'
import { settingsSchema } from './settings.ts'

/** A mistake in a file under `content/`: names the file, the field and the cure. */
export class ContentError extends Error {}

/** Reads and checks everything under `content/` but the samples. @throws ContentError */
export function readContentFiles(directory: string): ContentFiles {
  return {
    settings: readYaml(join(directory, 'settings.yaml'), settingsSchema),
    levels: readYaml(join(directory, 'levels.yaml'), levelsSchema),
    notice: readYaml(join(directory, 'notice.yaml'), noticeSchema),
    figures: readYaml(join(directory, 'figures.yaml'), figuresSchema),
    faq: readYaml(join(directory, 'faq.yaml'), faqSchema),
    pages: readdirSync(join(directory, 'pages'))
      .filter((name) => name.endsWith('.md'))
      .sort()
      .map((name) => readPage(join(directory, 'pages', name))),
  }
}

/** The invented people. @throws ContentError */
export function readSampleFiles(directory: string): SampleFiles {
  const samples = join(directory, 'samples')
  return {
    accounts: readYaml(join(samples, 'accounts.yaml'), accountsSchema),
    leaders: readYaml(join(samples, 'leaders.yaml'), leadersSchema),
    committees: readYaml(join(samples, 'committees.yaml'), committeesSchema),
    pastPresidents: readYaml(join(samples, 'past-presidents.yaml'), pastPresidentsSchema),
  }
}

function readYaml<S extends z.core.$ZodType>(file: string, schema: S): z.core.output<S> {
  return check(file, schema, parseYaml(file, readFileSync(file, 'utf8')))
}

function readPage(file: string): ContentFiles['pages'][number] {
  const match = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(readFileSync(file, 'utf8'))
  if (!match)
    throw new ContentError(
      `${file}: begin with a block of title, description, version and updatedOn between two lines of ---.`,
    )
  const facts = check(file, pageSchema, parseYaml(file, match[1] ?? ''))
  return { ...facts, slug: basename(file, '.md'), markdown: (match[2] ?? '').trim() }
}

function parseYaml(file: string, text: string): unknown {
  try {
    return parse(text) as unknown
  } catch (error) {
    throw new ContentError(`${file}: ${(error as Error).message}`)
  }
}

function check<S extends z.core.$ZodType>(file: string, schema: S, value: unknown): z.core.output<S> {
  const result = z.safeParse(schema, value)
  if (result.success) return result.data
  const faults = result.error.issues.map(
    ({ path: where, message }) => `  ${where.join('.') || 'the whole'}: ${message}`,
  )
  throw new ContentError(`${file} cannot be used:\n${faults.join('\n')}`)
}
