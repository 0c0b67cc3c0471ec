/** How many rows a page of a list has. */
export const PAGE_SIZES = [25, 50, 100] as const
export type PageSize = (typeof PAGE_SIZES)[number]

/** A list's state as its address has it. */
export interface ListAddress {
  /** The search text; '' for none. */
  query: string
  /** From 1. */
  page: number
  size: PageSize
  /** The sorted column; null for the list's own order. */
  sort: string | null
  isDescending: boolean
  /** The chosen values of each filter; a filter without values is missing. */
  filters: Record<string, string[]>
  /** The chosen columns in table order; null when the address names none. */
  columns: string[] | null
  /** The id of the open panel; null when none is open. */
  open: string | null
}

const OWN = new Set(['q', 'page', 'size', 'sort', 'descending', 'columns', 'open'])

/** Reads a list's state from its address. What is invalid is left out, so that old links still work. */
export function readListAddress(params: URLSearchParams, filterNames: readonly string[]): ListAddress {
  const page = Number(params.get('page') ?? 1)
  const size = PAGE_SIZES.find((one) => String(one) === params.get('size'))
  const filters = filterNames.flatMap((name) => {
    const values = (params.get(name) ?? '').split(',').filter(Boolean)
    return values.length > 0 ? [[name, values] as const] : []
  })
  return {
    query: params.get('q') ?? '',
    page: Number.isInteger(page) && page >= 1 ? page : 1,
    size: size ?? PAGE_SIZES[0],
    sort: params.get('sort'),
    isDescending: params.get('descending') === 'yes',
    filters: Object.fromEntries(filters),
    columns: params.get('columns')?.split(',').filter(Boolean) ?? null,
    open: params.get('open'),
  }
}

/** Applies changes to an address: null and '' remove a parameter; everything but the page and the open panel returns to the first page. */
export function changeListAddress(params: URLSearchParams, changes: Record<string, string | null>): URLSearchParams {
  const next = new URLSearchParams(params)
  if (Object.keys(changes).some((name) => name !== 'open' && name !== 'columns')) next.delete('page')
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') next.delete(name)
    else next.set(name, value)
  }
  return next
}

/** The part of an address that a saved view keeps: search, filters, sort and columns, but no page and no open panel. */
export function viewOf(params: URLSearchParams): string {
  const kept = new URLSearchParams(params)
  for (const name of ['page', 'open']) kept.delete(name)
  kept.sort()
  return String(kept)
}

/** Whether the address filters or searches, so that "no rows" means "nothing matches". */
export function isFiltered(params: URLSearchParams): boolean {
  return params.get('q') !== null || [...params.keys()].some((name) => !OWN.has(name))
}
