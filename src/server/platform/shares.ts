import type { Priority } from './effect-priorities.ts'

/** Places that urgent work always finds free: less urgent work takes a share of them at most. */
export interface Shares {
  mayBegin(priority: Priority): boolean
  begin(priority: Priority): void
  end(priority: Priority): void
  /** Places that nobody has; only the most urgent work may take each of them. */
  free(): number
}

/**
 * @param shares by priority: how many places work of that priority and all that is less urgent may have together. The first is how many there are.
 */
export function createShares(shares: readonly [number, number, number, number]): Shares {
  /** By priority: places held by it and by all that is less urgent. */
  const held = [0, 0, 0, 0]
  const add = (priority: Priority, count: number) => {
    for (let level = 0; level <= priority; level++) held[level] = (held[level] ?? 0) + count
  }
  return {
    mayBegin: (priority) => shares.every((share, level) => level > priority || (held[level] ?? 0) < share),
    begin: (priority) => add(priority, 1),
    end: (priority) => add(priority, -1),
    free: () => shares[0] - (held[0] ?? 0),
  }
}
