import type { Collection } from '../store.ts'
import { noSuch } from './errors.ts'
import { listObject } from './objects.ts'
import { integer, listOf, range, text } from './params.ts'
import type { Range } from './params.ts'

/** Parameters of every list. */
export const LIST_PARAMS = {
  limit: integer,
  starting_after: text,
  ending_before: text,
  expand: listOf(text),
}

export const CREATED_LIST_PARAMS = { ...LIST_PARAMS, created: range }

type Paging = { limit?: number | undefined; starting_after?: string | undefined; ending_before?: string | undefined }

const DEFAULT_LIMIT = 10
const LARGEST_LIMIT = 100

type Listing<T extends { id: string }> = {
  collection: Collection<T>
  what: string
  url: string
  paging: Paging
  /** Index and value to start with; the rest is filtered. */
  by?: { index: string; value: string | undefined }[]
  where?: (item: T) => boolean
}

/** One page, newest first. */
export function listPage<T extends { id: string }>({ collection, what, url, paging, by = [], where }: Listing<T>) {
  const given = by.filter(({ value }) => value !== undefined)
  const [first, ...others] = given
  let items = first ? collection.by(first.index, first.value!) : collection.all()
  for (const { index, value } of others) {
    const ids = new Set(collection.by(index, value!).map(({ id }) => id))
    items = items.filter(({ id }) => ids.has(id))
  }
  if (where) items = items.filter(where)
  return listOfItems({ items, what, url, paging, knows: (id) => collection.get(id) !== undefined })
}

/** Returns one page, newest first, of items given oldest first. */
export function listOfItems<T extends { id: string }>({
  items: given,
  what,
  url,
  paging,
  knows = () => false,
}: {
  items: readonly T[]
  what: string
  url: string
  paging: Paging
  /** Whether an id outside the list exists. */
  knows?: (id: string) => boolean
}) {
  const items = [...given].reverse()
  const { starting_after: after, ending_before: before } = paging
  const limit = Math.min(Math.max(paging.limit ?? DEFAULT_LIMIT, 1), LARGEST_LIMIT)
  if (before !== undefined) {
    const newer = items.slice(0, findPosition(items, before, { knows, what, param: 'ending_before' }))
    return listObject(url, newer.slice(-limit), newer.length > limit)
  }
  const start = after === undefined ? 0 : findPosition(items, after, { knows, what, param: 'starting_after' }) + 1
  return listObject(url, items.slice(start, start + limit), items.length > start + limit)
}

export function isWithin(created: number, { gt, gte, lt, lte }: Range = {}): boolean {
  return (
    (gt === undefined || created > gt) &&
    (gte === undefined || created >= gte) &&
    (lt === undefined || created < lt) &&
    (lte === undefined || created <= lte)
  )
}

function findPosition(
  items: readonly { id: string }[],
  id: string,
  { knows, what, param }: { knows: (id: string) => boolean; what: string; param: string },
): number {
  const position = items.findIndex((item) => item.id === id)
  if (position === -1 && !knows(id)) throw noSuch(what, id, param)
  return position === -1 ? items.length : position
}
