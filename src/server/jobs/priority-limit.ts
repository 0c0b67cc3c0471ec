import type { Priority } from './effect-priorities.ts'
import { createPrioritySlots } from '#server/lib/priority-slots.ts'

/** Limits concurrency by priority (`createPrioritySlots`). More urgent work runs first; work of equal priority runs in order. */
export function createPriorityLimit(
  shares: readonly [number, number, number, number],
): <T>(priority: Priority, work: () => Promise<T>) => Promise<T> {
  const slots = createPrioritySlots(shares)
  const waiting: [priority: Priority, begin: () => void][] = []

  function startNext(): void {
    const next = waiting.findIndex(([priority]) => slots.canAcquire(priority))
    const [found] = next < 0 ? [] : waiting.splice(next, 1)
    if (!found) return
    slots.acquire(found[0])
    found[1]()
  }

  return async function limited(priority, work) {
    await new Promise<void>((start) => {
      const position = waiting.findIndex(([other]) => other > priority)
      waiting.splice(position < 0 ? waiting.length : position, 0, [priority, start])
      startNext()
    })
    try {
      return await work()
    } finally {
      slots.release(priority)
      startNext()
    }
  }
}
