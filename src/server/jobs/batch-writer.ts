export interface BatchWriter<T> {
  /** Resolves once the item's batch is written. @throws what `write` threw for the batch */
  add(item: T): Promise<void>
  /** Writes pending items immediately. */
  flush(): void
}

/** Collects items and writes them in batches, each at most `withinMs` after its first item: for many small writes that would each wait for the disk. */
export function createBatchWriter<T>(withinMs: number, write: (items: T[]) => Promise<void>): BatchWriter<T> {
  let items: T[] = []
  let pendingWrite: Promise<void> | null = null
  let flush = () => {}

  async function scheduleWrite(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, withinMs)
      flush = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    const batch = items
    items = []
    pendingWrite = null
    await write(batch)
  }

  return {
    add(item) {
      items.push(item)
      pendingWrite ??= scheduleWrite()
      return pendingWrite
    },
    flush: () => flush(),
  }
}
