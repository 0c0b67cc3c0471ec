import type * as z from 'zod/mini'
import type { Permission } from '#contract/access.ts'
import type { ContentField, ContentValue } from '#contract/console/content.ts'

/** The record id of kinds with a single record. */
export const SINGLE_RECORD_ID = 'all'

/** A kind of content: what seeding, export, editing, history and cache need to know about its records. */
export interface ContentKind<S extends z.core.$ZodType = z.core.$ZodType> {
  kind: string
  /** Every value is checked by it when it is stored, and its output is the type of the stored value. */
  schema: S
  file: ContentFile
  /** The kind has a single record. */
  isSingle?: true
  /** Records are sorted by this text, or else by their ids. */
  sortKey?(value: z.core.output<S>): string
  /** Sorts the texts in descending order. */
  isNewestFirst?: true
}

/** How the records of a kind are written in a folder of content. */
export interface ContentFile {
  /** Its name; `pages/` is a folder with a Markdown file for each record, whose other fields are front matter. */
  name: string
  /** What the repository has is a sample: it lies in `content/samples`, and production is not seeded with it. */
  isSample?: true
  /** The record is one part of a file that several kinds share. */
  part?: string
  /** The single record is written as the list that it consists of. */
  list?: string
  /** Several records are written as a list: the id of each. */
  idOf?(value: ContentValue): string
  /** An item of that list may be written differently. */
  item?: FileItem
}

export interface FileItem {
  schema: z.core.$ZodType
  /** Returns the value to store. @param today in the association's time zone: relative dates count from it */
  resolve(item: ContentValue, today: string): ContentValue
}

/** A kind of content in the console: its schema, plus labels and hints. */
export interface EditableKind<S extends z.core.$ZodType = z.core.$ZodType> extends ContentKind<S> {
  label: string
  /** The singular name, in lower case. */
  singular: string
  lead: string
  section: 'Pages' | 'News and events' | 'People' | 'Text' | 'Support' | 'Settings'
  fields: ContentField[]
  /** Parts that affect money: publishing a changed value requires an additional permission. */
  guards?: readonly ContentGuard[]
  canDelete?: true
  /** The id (slug) of a new record; undefined if records of this kind cannot be added. */
  idFor?(value: ContentValue): string
  /** Adds what the form does not have, such as ids of new list items. */
  addMissing?(value: ContentValue, id: string): ContentValue
  /** What a new record gets in fields that were left empty. */
  initial?(id: string): ContentValue
  title(value: ContentValue): string
  /** The second line in a list. */
  detail?(value: ContentValue): string
  pathOf?(id: string, value: ContentValue): string
  /** Initial values of a new record. */
  initialValue?(today: string, by: { name: string }): ContentValue
  /** A field whose value no other record may have, published or not, nor any other page of the site as its address. */
  unique?: { field: string; message: string }
  /** Completes a value when it is published. @param before the value published last @throws Problem INVALID_INPUT if it may not follow that one */
  onPublish?(value: ContentValue, before: ContentValue | null): ContentValue
  /** Adds what the form shows besides the stored value. @param fields with the options of `optionsFrom` */
  complete?(value: ContentValue, fields: readonly ContentField[]): ContentValue
  /** Kinds whose records are the options of a field, by its name; `membership-levels` for the levels, `bodies` for what the association calls its bodies. */
  optionsFrom?: Record<string, string>
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

/** Infers the type of the schema. */
export function defineKind<S extends z.core.$ZodType>(kind: EditableKind<S>): EditableKind<S> {
  return kind
}

/** A kind with a single record, such as a list with an order. */
export function defineSingle<S extends z.core.$ZodType>(
  kind: Omit<EditableKind<S>, 'singular' | 'title' | 'isSingle'>,
): EditableKind<S> {
  return { ...kind, isSingle: true, singular: kind.label.toLowerCase(), title: () => kind.label }
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
