import * as z from 'zod/mini'
import type { ContentValue } from '#contract/console/content.ts'
import { SINGLE_RECORD_ID, type ContentKind } from '#server/features/content-store/content-kind.rules.ts'
import { contentKinds } from '#server/features/content-store/content-kinds.registry.ts'
import type { PublishedRecords } from '#server/features/content-store/record-set.rules.ts'

/** Records that replace those of their kind. */
export interface KindRecords {
  kind: ContentKind
  records: { id: string; value: unknown }[]
}

/** What a file of content contains: the records of a kind, or of several. */
export interface FileFormat {
  name: string
  isSample: boolean
  kinds: readonly ContentKind[]
  schema: z.core.$ZodType
  /** @param value as the schema returns it */
  toRecords(value: unknown, today: string): KindRecords[]
  /** The inverse, with absolute dates, so that importing it later gives the same records. null: there is nothing to write. */
  fromRecords(records: PublishedRecords): unknown
}

export const LEVELS_FILE = 'levels.yaml'
/** A folder with a Markdown file for each record, whose schema is that of the front matter and the text. */
export const PAGES_FOLDER = 'pages/'

/** Every file that an export writes and an import reads, but for the levels. */
export const fileFormats: readonly FileFormat[] = [...Map.groupBy(contentKinds, ({ file }) => file.name)].map(
  ([name, kinds]) => {
    const [first] = kinds
    if (!first) throw new Error(`${name} has no kind`)
    const { isSample = false } = first.file
    return { name, isSample, kinds, ...(first.file.part === undefined ? formatOf(first) : formatOfParts(kinds)) }
  },
)

type Conversion = Pick<FileFormat, 'schema' | 'toRecords' | 'fromRecords'>

function formatOfParts(kinds: readonly ContentKind[]): Conversion {
  const parts = kinds.map((kind) => [kind.file.part ?? '', kind] as const)
  return {
    schema: z.object(Object.fromEntries(parts.map(([part, { schema }]) => [part, schema]))),
    toRecords: (value) => parts.map(([part, kind]) => singleRecord(kind, (value as ContentValue)[part])),
    fromRecords: (records) =>
      Object.fromEntries(parts.map(([part, kind]) => [part, records.single(kind) ?? undefined])),
  }
}

function formatOf(kind: ContentKind): Conversion {
  const { schema, file } = kind
  const { list, item, idOf } = file
  if (list !== undefined)
    return {
      schema: (schema as z.ZodMiniObject<Record<string, z.ZodMiniType>>).shape[list] ?? z.never(),
      toRecords: (value) => [singleRecord(kind, { [list]: value })],
      fromRecords: (records) => (records.single(kind) as ContentValue | null)?.[list] ?? null,
    }
  if (!idOf)
    return {
      schema,
      toRecords: (value) => [singleRecord(kind, value)],
      fromRecords: (records) => records.single(kind),
    }
  const haveOwnIds = (items: unknown[]) => new Set(items.map((one) => idOf(one as ContentValue))).size === items.length
  return {
    schema: z.array(item?.schema ?? schema).check(z.refine(haveOwnIds, 'give each an id of its own')),
    toRecords(value, today) {
      const values = (value as ContentValue[]).map((one) => (item ? z.parse(schema, item.resolve(one, today)) : one))
      return [{ kind, records: values.map((one) => ({ id: idOf(one as ContentValue), value: one })) }]
    },
    fromRecords: (records) => records.list(kind).map(({ value }) => value),
  }
}

function singleRecord(kind: ContentKind, value: unknown): KindRecords {
  return { kind, records: [{ id: SINGLE_RECORD_ID, value }] }
}
