import type { Priority } from './effect-priorities.ts'
import { createShares } from './shares.ts'

/**
 * Takes work with its priority and does as much of it at once as the shares allow (`createShares`). The most urgent waits least; work of the same priority
 * keeps its order.
 */
export function createPriorityTurns(
  shares: readonly [number, number, number, number],
): <T>(priority: Priority, work: () => Promise<T>) => Promise<T> {
  const places = createShares(shares)
  const waiting: [priority: Priority, begin: () => void][] = []

  function beginNext(): void {
    const next = waiting.findIndex(([priority]) => places.mayBegin(priority))
    const [found] = next < 0 ? [] : waiting.splice(next, 1)
    if (!found) return
    places.begin(found[0])
    found[1]()
  }

  return async function inTurn(priority, work) {
    await new Promise<void>((begin) => {
      const behind = waiting.findIndex(([other]) => other > priority)
      waiting.splice(behind < 0 ? waiting.length : behind, 0, [priority, begin])
      beginNext()
    })
    try {
      return await work()
    } finally {
      places.end(priority)
      beginNext()
    }
  }
}
