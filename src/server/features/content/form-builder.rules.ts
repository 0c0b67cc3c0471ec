import type * as z from 'zod/mini'
import type { Permission } from '#contract/access.ts'
import type { ContentField, ContentValue } from '#contract/console-content.ts'
import type { Db } from '#server/db/database.ts'

/** What a write needs besides its value. */
export interface WriteMoment {
  /** The association's day. */
  today: string
  newId(): string
}

/** The one record of a kind that is no list. */
export const SINGLE = 'all'

/** One kind of content as officers edit it: the same schemas as the content files, with words for people. */
export interface ContentForm<S extends z.core.$ZodType = z.core.$ZodType> {
  kind: string
  label: string
  /** What one is called within a sentence. */
  one: string
  lead: string
  /** There is one record, and no list of them. */
  isSingle?: true
  section: 'News and events' | 'People' | 'Words' | 'Support' | 'Settings'
  fields: ContentField[]
  /** What moves money: publishing another value than visitors have now needs a permission besides that of the console's content. */
  guards?: readonly ContentGuard[]
  schema: S
  /** What is public now, in the order officers look for it. */
  list(db: Db): Promise<{ id: string; value: z.core.output<S> }[]>
  /** Makes it public. Call with `raiseContentVersion` in one transaction. */
  publish(db: Db, id: string, value: z.core.output<S>, moment: WriteMoment): Promise<void>
  /** Left out where something of this kind must always be there. @throws Problem when somebody counts on it */
  remove?(db: Db, id: string, moment: Pick<WriteMoment, 'today'>): Promise<void>
  /** What a new one would be called in its address; left out where there are no new ones. */
  idFor?(value: ContentValue): string
  /** What the form does not ask: ids of new things in a list. The record's own id is given where it has one. */
  complete?(value: ContentValue, id: string): ContentValue
  title(value: ContentValue): string
  /** The second line in a list. */
  detail?(value: ContentValue): string
  pathOf?(id: string): string
  /** What a new one begins with. */
  initial?(today: string): ContentValue
}

export interface ContentGuard {
  /** Where the form says that it was refused. */
  field: string
  permission: Permission
  /** Said to whoever may not. */
  sentence: string
  /** What must stay the same. */
  of(value: ContentValue): unknown
}

/** Keeps the exact schema while one is described. */
export function contentForm<S extends z.core.$ZodType>(form: ContentForm<S>): ContentForm {
  return form
}

type Details = Partial<Omit<ContentField, 'name' | 'label' | 'control' | 'options'>> & {
  options?: readonly (string | number | { value: string | number; label: string })[]
}

/** A field that must be filled in unless `details` say otherwise. */
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

/** 'Gala under the Oaks!' as part of an address: `gala-under-the-oaks`. */
export function slugOf(title: unknown): string {
  const words = textOf(title)
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\p{M}'’]/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 80)
    .replaceAll(/^-+|-+$/g, '')
  return words || 'untitled'
}

export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** Gives each thing of a list that has none an id made of its name, each once. */
export function withIds(list: unknown, idName: string, titleName: string): unknown {
  if (!Array.isArray(list)) return list
  const taken = new Set(list.map((one: ContentValue) => one[idName]))
  return list.map((one: ContentValue) => {
    if (one[idName]) return one
    const id = freeId(slugOf(one[titleName]), (wanted) => taken.has(wanted))
    taken.add(id)
    return { ...one, [idName]: id }
  })
}

/** The id wanted, or the first with a number that nobody has. */
export function freeId(wanted: string, isTaken: (id: string) => boolean): string {
  let id = wanted
  for (let number = 2; isTaken(id); number++) id = `${wanted}-${number}`
  return id
}
