import type * as z from 'zod/mini'
import type { Permission } from '#contract/access.ts'
import type { ContentField, ContentValue } from '#contract/console/content.ts'
import type { Db } from '#server/db/database.ts'

export interface WriteContext {
  /** Today in the association's time zone, `YYYY-MM-DD`. */
  today: string
  newId(): string
}

/** The record id of kinds with a single record. */
export const SINGLE_RECORD_ID = 'all'

/** A kind of content in the console: the schema of its content file, plus labels and hints. */
export interface ContentForm<S extends z.core.$ZodType = z.core.$ZodType> {
  kind: string
  label: string
  /** The singular name, in lower case. */
  singular: string
  lead: string
  /** The kind has a single record. */
  isSingle?: true
  section: 'News and events' | 'People' | 'Text' | 'Support' | 'Settings'
  fields: ContentField[]
  /** Parts that affect money: publishing a changed value requires an additional permission. */
  guards?: readonly ContentGuard[]
  schema: S
  /** The published records, in the order of the console's list. */
  list(db: Db): Promise<{ id: string; value: z.core.output<S> }[]>
  /** Call in one transaction with `incrementContentVersion`. */
  publish(db: Db, id: string, value: z.core.output<S>, moment: WriteContext): Promise<void>
  /** Undefined if records of this kind cannot be deleted. @throws Problem if the record is still needed */
  remove?(db: Db, id: string, moment: Pick<WriteContext, 'today'>): Promise<void>
  /** The id (slug) of a new record; undefined if records of this kind cannot be added. */
  idFor?(value: ContentValue): string
  /** Adds what the form does not have, such as ids of new list items. */
  addMissing?(value: ContentValue, id: string): ContentValue
  title(value: ContentValue): string
  /** The second line in a list. */
  detail?(value: ContentValue): string
  pathOf?(id: string): string
  /** Initial values of a new record. */
  initialValue?(today: string): ContentValue
}

export interface ContentGuard {
  /** The form field that shows the error. */
  field: string
  permission: Permission
  /** The error message. */
  message: string
  /** The guarded part of the value. */
  select(value: ContentValue): unknown
}

/** Infers the schema type of a form definition. */
export function contentForm<S extends z.core.$ZodType>(form: ContentForm<S>): ContentForm {
  return form
}

type Details = Partial<Omit<ContentField, 'name' | 'label' | 'control' | 'options'>> & {
  options?: readonly (string | number | { value: string | number; label: string })[]
}

/** A field, required by default. */
export function field(
  control: ContentField['control'],
  name: string,
  label: string,
  { options = [], ...details }: Details = {},
): ContentField {
  return {
    name,
    label,
    control,
    hint: null,
    isRequired: control !== 'switch' && control !== 'group',
    isFixed: false,
    fields: [],
    ...details,
    options: options.map((one) => (typeof one === 'object' ? one : { value: one, label: String(one) })),
  }
}

/** Converts 'Gala under the Oaks!' to `gala-under-the-oaks`. */
export function slugify(title: unknown): string {
  const slug = textOf(title)
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\p{M}'’]/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 80)
    .replaceAll(/^-+|-+$/g, '')
  return slug || 'untitled'
}

export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** Adds a unique id, made from the title, to each list item that has none. */
export function withIds(list: unknown, idName: string, titleName: string): unknown {
  if (!Array.isArray(list)) return list
  const taken = new Set(list.map((one: ContentValue) => one[idName]))
  return list.map((one: ContentValue) => {
    if (one[idName]) return one
    const id = findFreeId(slugify(one[titleName]), (wanted) => taken.has(wanted))
    taken.add(id)
    return { ...one, [idName]: id }
  })
}

/** Returns `wanted`, or `wanted-2`, `wanted-3`… if it is taken. */
export function findFreeId(wanted: string, isTaken: (id: string) => boolean): string {
  let id = wanted
  for (let number = 2; isTaken(id); number++) id = `${wanted}-${number}`
  return id
}
