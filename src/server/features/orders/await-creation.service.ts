import { setTimeout as wait } from 'node:timers/promises'
import type { Clock } from '#server/platform/clock.ts'
import type { Problem } from '#server/platform/problem.ts'

/** How long one request has an order's creation for itself. */
export const CREATION_LEASE_MS = 15_000

const WAIT_FOR_OTHER_MS = 9_000
const WAIT_STEP_MS = 100

/**
 * The order once no other request is creating its session; null when there is none then.
 * @throws what `tooLong` makes, when the other takes longer than a person waits
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
