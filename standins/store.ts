import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'

type Stored = { id: string }

export type Collection<T extends Stored> = {
  get(id: string): T | undefined
  put(item: T): T
  remove(id: string): void
  /** In order of first insertion, oldest first. */
  all(): T[]
  /** Items whose indexed field has this value, oldest first. */
  by(index: string, value: string): T[]
  size(): number
}

type CollectionOptions<T> = {
  /** Maps the name of an index to the value of an item; null omits the item. */
  indexes?: Record<string, (item: T) => string | null | undefined>
  /** False for items that need not survive the process. */
  kept?: (item: T) => boolean
}

export type Store = {
  collection<T extends Stored>(name: string, options?: CollectionOptions<T>): Collection<T>
  /** Writes all changes to the operating system; called before a response is sent. */
  flush(): void
  close(): void
}

const JOURNAL = 'journal.jsonl'
/** A journal is compacted at startup when this share of its lines is stale. */
const STALE_SHARE = 0.3

/**
 * Collections held in memory and, with a directory, in an append-only journal: one line per change, so that each change costs the same however long the journal
 * is.
 */
export function openStore(directory: string | null): Store {
  const loaded = directory ? loadJournal(directory) : new Map<string, Map<string, Stored>>()
  const descriptor = directory ? openSync(join(directory, JOURNAL), 'a') : null
  let pending: string[] = []
  let flushSoon: NodeJS.Immediate | null = null
  let closed = false

  function note(line: string): void {
    if (descriptor === null || closed) return
    pending.push(line)
    flushSoon ??= setImmediate(flush)
  }

  function flush(): void {
    if (flushSoon) clearImmediate(flushSoon)
    flushSoon = null
    if (descriptor === null || pending.length === 0) return
    const lines = pending.join('')
    pending = []
    writeSync(descriptor, lines)
  }

  return {
    collection<T extends Stored>(name: string, options: CollectionOptions<T> = {}) {
      const items = (loaded.get(name) ?? new Map()) as Map<string, T>
      return createCollection({ name, items, options, note })
    },
    flush,
    close() {
      flush()
      closed = true
      if (descriptor !== null) closeSync(descriptor)
    },
  }
}

type CollectionParts<T extends Stored> = {
  name: string
  items: Map<string, T>
  options: CollectionOptions<T>
  note: (line: string) => void
}

function createCollection<T extends Stored>({ name, items, options, note }: CollectionParts<T>): Collection<T> {
  const extractors = Object.entries(options.indexes ?? {})
  const indexes = new Map(extractors.map(([index]) => [index, new Map<string, Set<string>>()]))
  const sequence = new Map<string, number>()
  let next = 0

  function enter(item: T): void {
    if (!sequence.has(item.id)) sequence.set(item.id, next++)
    for (const [index, indexValue] of extractors) {
      const value = indexValue(item)
      if (value === null || value === undefined) continue
      const values = indexes.get(index)!
      const ids = values.get(value)
      if (ids) ids.add(item.id)
      else values.set(value, new Set([item.id]))
    }
  }

  function unindex(item: T): void {
    for (const [index, indexValue] of extractors) {
      const value = indexValue(item)
      if (value === null || value === undefined) continue
      const values = indexes.get(index)!
      const ids = values.get(value)
      ids?.delete(item.id)
      if (ids?.size === 0) values.delete(value)
    }
  }

  for (const item of items.values()) enter(item)

  return {
    get: (id) => items.get(id),
    put(item) {
      const before = items.get(item.id)
      if (before) unindex(before)
      items.set(item.id, item)
      enter(item)
      if (options.kept?.(item) ?? true) note(`${JSON.stringify([name, item])}\n`)
      return item
    },
    remove(id) {
      const item = items.get(id)
      if (!item) return
      unindex(item)
      items.delete(id)
      sequence.delete(id)
      if (options.kept?.(item) ?? true) note(`${JSON.stringify([name, null, id])}\n`)
    },
    all: () => [...items.values()],
    by(index, value) {
      const ids = indexes.get(index)?.get(value)
      if (!ids) return []
      return [...ids].sort((a, b) => sequence.get(a)! - sequence.get(b)!).map((id) => items.get(id)!)
    },
    size: () => items.size,
  }
}

function loadJournal(directory: string): Map<string, Map<string, Stored>> {
  mkdirSync(directory, { recursive: true })
  const path = join(directory, JOURNAL)
  const collections = new Map<string, Map<string, Stored>>()
  if (!existsSync(path)) return collections
  let lines = 0
  let torn = false
  for (const line of splitLines(readFileSync(path))) {
    lines++
    try {
      replay(collections, JSON.parse(line) as [string, Stored | null, string?])
    } catch {
      // An incomplete last line, from a process killed while writing; the change was never acknowledged.
      torn = true
    }
  }
  const live = [...collections.values()].reduce((sum, items) => sum + items.size, 0)
  if (torn || lines - live > lines * STALE_SHARE) rewrite(path, collections)
  return collections
}

/** Splits the bytes into lines, since a journal may exceed the maximum string length. */
function* splitLines(bytes: Buffer): Generator<string> {
  let start = 0
  while (start < bytes.length) {
    const found = bytes.indexOf(10, start)
    const end = found === -1 ? bytes.length : found
    if (end > start) yield bytes.toString('utf8', start, end)
    start = end + 1
  }
}

function replay(
  collections: Map<string, Map<string, Stored>>,
  [name, item, removed]: [string, Stored | null, string?],
): void {
  let items = collections.get(name)
  if (!items) collections.set(name, (items = new Map()))
  if (item) items.set(item.id, item)
  else if (removed) items.delete(removed)
}

function rewrite(path: string, collections: Map<string, Map<string, Stored>>): void {
  const fresh = `${path}.new`
  const descriptor = openSync(fresh, 'w')
  for (const [name, items] of collections) {
    for (const item of items.values()) writeSync(descriptor, `${JSON.stringify([name, item])}\n`)
  }
  fsyncSync(descriptor)
  closeSync(descriptor)
  renameSync(fresh, path)
}
