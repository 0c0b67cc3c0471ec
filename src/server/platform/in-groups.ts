export interface Groups<T> {
  /** Resolves once the item was written with its group. @throws what writing the group threw */
  add(item: T): Promise<void>
  /** Writes now what waits. */
  flush(): void
}

/** Writes what comes one by one in groups, each no later than `withinMs` after its first: for many small writes that would each wait for the disk. */
export function inGroups<T>(withinMs: number, write: (items: T[]) => Promise<void>): Groups<T> {
  let items: T[] = []
  let written: Promise<void> | null = null
  let flush = () => {}

  async function writeSoon(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, withinMs)
      flush = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    const group = items
    items = []
    written = null
    await write(group)
  }

  return {
    add(item) {
      items.push(item)
      written ??= writeSoon()
      return written
    },
    flush: () => flush(),
  }
}
