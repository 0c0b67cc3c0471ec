import { setImmediate as nextTurn } from 'node:timers/promises'

/** Long loops yield to the event loop this often, so that requests in between are served. */
const YIELD_EVERY_MS = 10

/** Returns a function that yields to the event loop when the last yield was longer ago than `YIELD_EVERY_MS`. */
function createYielder(): () => Promise<void> {
  let lastYieldAt = performance.now()
  return async () => {
    if (performance.now() - lastYieldAt < YIELD_EVERY_MS) return
    await nextTurn()
    lastYieldAt = performance.now()
  }
}

/** Collects the items of an iterable, yielding to the event loop in between. */
export async function collectYielding<T>(items: Iterable<T>): Promise<T[]> {
  const yieldIfDue = createYielder()
  const collected: T[] = []
  for (const item of items) {
    collected.push(item)
    await yieldIfDue()
  }
  return collected
}

/** Maps a list, yielding to the event loop in between. */
export async function mapYielding<T, R>(items: readonly T[], make: (item: T, index: number) => R): Promise<R[]> {
  const yieldIfDue = createYielder()
  const results: R[] = []
  for (const [index, item] of items.entries()) {
    results.push(make(item, index))
    await yieldIfDue()
  }
  return results
}
