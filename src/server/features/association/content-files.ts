import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parse } from 'yaml'
import * as z from 'zod/mini'
import { settingsSchema } from './settings.ts'

const day = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/, 'use a day such as 2026-11-01, in quotes'))
const path = z.string().check(z.regex(/^\//, 'begin with a slash'))

const levelsSchema = z.array(
  z.object({
    key: z.string().check(z.regex(/^[a-z]+(_[a-z]+)*$/, 'use small letters joined by underscores')),
    name: z.string(),
    description: z.string(),
    unitAmount: z.int().check(z.gte(0)),
    currency: z.string().check(z.regex(/^[a-z]{3}$/, 'use a code such as usd')),
    interval: z.optional(z.enum(['year', 'month'])),
    intervalCount: z.optional(z.int()),
  }),
)

const noticeSchema = z.object({
  title: z.string(),
  text: z.string(),
  linkLabel: z.string(),
  linkPath: path,
  isOn: z.boolean(),
  endsOn: z.optional(day),
})

const figuresSchema = z.array(z.object({ value: z.string(), label: z.string(), asOf: day }))

const pageSchema = z.object({
  title: z.string(),
  description: z.string(),
  version: z.string(),
  updatedOn: day,
})

const monthsAgo = z.int().check(z.gte(0))

const accountsSchema = z.object({
  password: z.string(),
  accounts: z.array(
    z.object({
      email: z.email(),
      username: z.string(),
      firstName: z.string(),
      lastName: z.string(),
      joinedMonthsAgo: monthsAgo,
      isOfficer: z.optional(z.boolean()),
      membership: z.object({
        level: z.string(),
        paidMonthsAgo: z.optional(z.array(monthsAgo)),
        startedMonthsAgo: z.optional(monthsAgo),
        /** Has a subscription at the card provider. */
        renews: z.optional(z.boolean()),
      }),
    }),
  ),
})

export interface ContentFiles {
  settings: z.infer<typeof settingsSchema>
  levels: z.infer<typeof levelsSchema>
  notice: z.infer<typeof noticeSchema>
  figures: z.infer<typeof figuresSchema>
  pages: (z.infer<typeof pageSchema> & { slug: string; markdown: string })[]
}

export type SampleAccounts = z.infer<typeof accountsSchema>

/** A mistake in a file under `content/`: names the file, the field and the cure. */
export class ContentError extends Error {}

/** Reads and checks everything under `content/` but the samples. @throws ContentError */
export function readContentFiles(directory: string): ContentFiles {
  return {
    settings: readYaml(join(directory, 'settings.yaml'), settingsSchema),
    levels: readYaml(join(directory, 'levels.yaml'), levelsSchema),
    notice: readYaml(join(directory, 'notice.yaml'), noticeSchema),
    figures: readYaml(join(directory, 'figures.yaml'), figuresSchema),
    pages: readdirSync(join(directory, 'pages'))
      .filter((name) => name.endsWith('.md'))
      .sort()
      .map((name) => readPage(join(directory, 'pages', name))),
  }
}

/** The invented people. @throws ContentError */
export function readSampleAccounts(directory: string): SampleAccounts {
  return readYaml(join(directory, 'samples', 'accounts.yaml'), accountsSchema)
}

function readYaml<S extends z.core.$ZodType>(file: string, schema: S): z.core.output<S> {
  return check(file, schema, parseYaml(file, readFileSync(file, 'utf8')))
}

function readPage(file: string): z.infer<typeof pageSchema> & { slug: string; markdown: string } {
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
