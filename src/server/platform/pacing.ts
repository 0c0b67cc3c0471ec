import { setImmediate as nextTurn } from 'node:timers/promises'

/** Work on many items gives way this often, so that requests in between are answered. */
const TURN_MS = 10

/** Waits a turn of the event loop whenever the last one is long ago; for loops over many items. */
function createPace(): () => Promise<void> {
  let begunAt = performance.now()
  return async () => {
    if (performance.now() - begunAt < TURN_MS) return
    await nextTurn()
    begunAt = performance.now()
  }
}

/** All items of what is worked out one by one, in turns with everything else. */
export async function collectInTurns<T>(items: Iterable<T>): Promise<T[]> {
  const pace = createPace()
  const collected: T[] = []
  for (const item of items) {
    collected.push(item)
    await pace()
  }
  return collected
}

/** The same for a list that each item is made into something of. */
export async function mapInTurns<T, R>(items: readonly T[], make: (item: T, index: number) => R): Promise<R[]> {
  const pace = createPace()
  const made: R[] = []
  for (const [index, item] of items.entries()) {
    made.push(make(item, index))
    await pace()
  }
  return made
}
