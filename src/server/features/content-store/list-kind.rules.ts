import * as z from 'zod/mini'
import type { ContentField, ContentValue } from '#contract/console/content.ts'
import { defineSingle, field, slugify, type ContentFile, type EditableKind } from './content-kind.rules.ts'

type ListShape<Name extends string, Items, Besides extends string> = Record<Name, Items> &
  Record<Besides, z.ZodMiniString>

interface ListKind<Name extends string, Items extends z.core.$ZodType, Besides extends string> extends Pick<
  EditableKind,
  'kind' | 'label' | 'lead' | 'section' | 'guards' | 'pathOf' | 'optionsFrom' | 'complete' | 'onPublish'
> {
  /** The name of the list in the record. */
  list: Name
  /** The schema of the list, such as `uniqueList`. */
  items: Items
  file: Pick<ContentFile, 'name' | 'isSample'>
  /** The label of the list in the form. */
  listLabel: string
  /** The fields of an item. */
  fields: ContentField[]
  /** An item without an id gets one, made from another of its fields. */
  ids?: { name: string; from: string }
  /** What an item gets in fields that were left empty. */
  emptyItem?: ContentValue
  /** Texts that the record has besides the list; its file then has names for both. */
  besides?: { shape: Record<Besides, z.ZodMiniString>; fields: ContentField[] }
}

/** A kind whose only record is a list that officers order, such as the sponsors. */
export function defineList<Name extends string, Items extends z.core.$ZodType, Besides extends string = never>({
  list,
  items,
  file,
  listLabel,
  fields,
  ids,
  emptyItem,
  besides,
  ...kind
}: ListKind<Name, Items, Besides>): EditableKind<z.ZodMiniObject<ListShape<Name, Items, Besides>>> {
  const shape = { ...besides?.shape, [list]: items } as unknown as ListShape<Name, Items, Besides>
  return defineSingle({
    ...kind,
    schema: z.object(shape),
    file: { ...file, ...(!besides && { list }) },
    fields: [...(besides?.fields ?? []), field('group', list, listLabel, { fields })],
    addMissing(value) {
      const found = (value[list] ?? []) as ContentValue[]
      const withIds = ids ? addIds(found, ids) : found
      return { ...value, [list]: withIds.map((one) => ({ ...emptyItem, ...one })) }
    },
  })
}

/** A list in which no two items share the value of a field. @param sentence for those who do */
export function uniqueList<Item extends z.ZodMiniObject>(
  item: Item,
  name: keyof z.core.output<Item> & string,
  sentence: string,
): z.ZodMiniArray<Item> {
  const isUnique = (list: z.core.output<Item>[]) => new Set(list.map((one) => one[name])).size === list.length
  return z.array(item).check(z.refine(isUnique, sentence))
}

/** The items, and those that were removed as retired ones: other records refer to their keys. */
export function retireRemoved<Item extends { key: string }>(items: readonly Item[], before: readonly Item[]): Item[] {
  const removed = before.filter(({ key }) => !items.some((one) => one.key === key))
  return [...items, ...removed.map((one) => ({ ...one, isRetired: true }))]
}

/** Adds an id to each item that has none, unique in the list. */
export function addIds(list: readonly ContentValue[], { name, from }: { name: string; from: string }): ContentValue[] {
  const taken = new Set(list.map((one) => one[name]))
  return list.map((one) => {
    if (one[name]) return one
    const id = findFreeId(slugify(one[from]), (wanted) => taken.has(wanted))
    taken.add(id)
    return { ...one, [name]: id }
  })
}

/** Returns `wanted`, or `wanted-2`, `wanted-3`… if it is taken. */
function findFreeId(wanted: string, isTaken: (id: string) => boolean): string {
  let id = wanted
  for (let number = 2; isTaken(id); number++) id = `${wanted}-${number}`
  return id
}
