import { setTimeout as wait } from 'node:timers/promises'
import type { Clock } from '#server/lib/clock.ts'
import type { Problem } from '#server/lib/problem.ts'

/** How long a request holds the lease to create an order's session. */
export const CREATION_LEASE_MS = 15_000

const WAIT_FOR_OTHER_MS = 9_000
const WAIT_STEP_MS = 100

/**
 * Waits until no other request is creating the order's session, then returns the order, or null if there is none.
 * @throws the problem from `tooLong`
 * if the other request takes too long
 */
export async function awaitCreation<Order extends { state: string; leasedUntil: number | null }>(
  find: () => Promise<Order | null>,
  { clock, tooLong }: { clock: Clock; tooLong: () => Problem },
): Promise<Order | null> {
  const deadline = Date.now() + WAIT_FOR_OTHER_MS
  for (;;) {
    const order = await find()
    const isBusy = order?.state === 'creating' && (order.leasedUntil ?? 0) > clock.now()
    if (!isBusy) return order
    if (Date.now() > deadline) throw tooLong()
    await wait(WAIT_STEP_MS)
  }
}
