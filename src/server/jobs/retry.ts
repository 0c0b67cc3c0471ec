import { setTimeout as sleep } from 'node:timers/promises'

/** A minute in all, as long as a database server takes to be replaced by its stand-by. */
export const OVER_A_FAILOVER_MS: readonly number[] = [
  100,
  300,
  1_000,
  3_000,
  ...Array.from({ length: 11 }, () => 5_000),
]

/** Tries again after each of these pauses, for what must not be lost to a moment without a database. @throws what the last try threw */
export async function keepTrying<T>(work: () => Promise<T>, pausesMs = OVER_A_FAILOVER_MS): Promise<T> {
  for (const pause of pausesMs) {
    try {
      return await work()
    } catch {
      await sleep(pause)
    }
  }
  return work()
}
