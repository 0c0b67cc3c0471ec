import type * as z from 'zod/mini'
import type { ContentKind } from './content-kind.rules.ts'

/** A record as visitors see it. */
export interface PublishedRecord<V = unknown> {
  id: string
  value: V
  /** The revision that published it; null if none has its value, such as after an import. */
  revision: number | null
}

/** Records of several kinds, with the types of their schemas. */
export interface PublishedRecords {
  /** In the order of the kind. */
  list<S extends z.core.$ZodType>(kind: ContentKind<S>): PublishedRecord<z.core.output<S>>[]
  /** The value of the only record of a kind; null if there is none. */
  single<S extends z.core.$ZodType>(kind: ContentKind<S>): z.core.output<S> | null
}

export function recordSet(records: readonly (PublishedRecord & { kind: string })[]): PublishedRecords {
  const byKind = Map.groupBy(records, ({ kind }) => kind)
  function list<S extends z.core.$ZodType>(kind: ContentKind<S>): PublishedRecord<z.core.output<S>>[] {
    const keyed = (byKind.get(kind.kind) ?? []).map(({ id, value, revision }) => {
      const record = { id, value: value as z.core.output<S>, revision }
      return { record, key: kind.sortKey?.(record.value) ?? '' }
    })
    const sign = kind.isNewestFirst ? -1 : 1
    // By code units, which is the same order on both engines.
    keyed.sort((a, b) => sign * compare(a.key, b.key) || compare(a.record.id, b.record.id))
    return keyed.map(({ record }) => record)
  }
  return { list, single: (kind) => list(kind)[0]?.value ?? null }
}

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
