import { setTimeout as sleep } from 'node:timers/promises'

/** A minute in total, about as long as a database failover takes. */
export const FAILOVER_RETRY_PAUSES_MS: readonly number[] = [
  100,
  300,
  1_000,
  3_000,
  ...Array.from({ length: 11 }, () => 5_000),
]

/** Retries after each of these pauses; for writes that must survive a short database outage. @throws the last error */
export async function retry<T>(work: () => Promise<T>, pausesMs = FAILOVER_RETRY_PAUSES_MS): Promise<T> {
  for (const pause of pausesMs) {
    try {
      return await work()
    } catch {
      await sleep(pause)
    }
  }
  return work()
}
