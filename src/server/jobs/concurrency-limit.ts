/** Returns a function that runs at most `limit` tasks at a time; the others wait in order. */
export function createConcurrencyLimit(limit: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let free = limit

  return async function limited(work) {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      // Hands the slot to the next waiting task, so that a later one cannot get ahead of it.
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}
