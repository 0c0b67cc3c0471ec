/** Takes work, and does so many pieces of it at once; the rest wait for their turn, in the order they came. */
export function createTurns(atOnce: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let free = atOnce

  return async function inTurn(work) {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      // Whoever waits takes the place over, so that nobody who comes later gets in between.
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}
