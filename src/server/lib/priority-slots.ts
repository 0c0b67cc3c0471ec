import type { Priority } from '#server/jobs/effect-priorities.ts'

/** Concurrency slots by priority: less urgent work may use only a share of them, so urgent work always finds one. */
export interface PrioritySlots {
  canAcquire(priority: Priority): boolean
  acquire(priority: Priority): void
  release(priority: Priority): void
  /** Unused slots; only the most urgent work may use all of them. */
  free(): number
}

/** @param shares by priority: the slots that work of that priority and all less urgent work may use together. The first is the total. */
export function createPrioritySlots(shares: readonly [number, number, number, number]): PrioritySlots {
  /** By priority: slots used by it and by all less urgent work. */
  const used = [0, 0, 0, 0]
  const add = (priority: Priority, count: number) => {
    for (let level = 0; level <= priority; level++) used[level] = (used[level] ?? 0) + count
  }
  return {
    canAcquire: (priority) => shares.every((share, level) => level > priority || (used[level] ?? 0) < share),
    acquire: (priority) => add(priority, 1),
    release: (priority) => add(priority, -1),
    free: () => shares[0] - (used[0] ?? 0),
  }
}
