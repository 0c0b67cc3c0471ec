import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#server/db/database.ts'
import { freeLeases, listLeases } from '#server/jobs/outbox.repository.ts'

/** How often leases of running work are renewed; a renewed lease shows that its process is alive. */
export const RENEW_EVERY_MS = 1_000
/** Two renewals, with margin for a slow database. */
const WATCH_MS = 3_000

/** Identifies a process as the owner of leases. */
export interface LeaseOwner {
  /** Stored in `leased_by`. */
  id: string
  /** Shared by the ids of all processes of this instance; null for a process without a successor, such as a command. */
  prefix: string | null
}

export function createLeaseOwner(instanceName: string | null = null): LeaseOwner {
  const prefix = instanceName === null ? null : `${instanceName}/`
  return { id: `${prefix ?? ''}${randomBytes(9).toString('hex')}`, prefix }
}

/**
 * Frees the leases of an earlier process of this instance that was killed, instead of waiting until they expire. Watches for a few seconds first: a lease that
 * is still renewed belongs to a live process, such as one shutting down, and is kept.
 * @returns the number of effects freed
 */
export async function freeLeasesOfPredecessor(db: Db, holder: LeaseOwner, watchMs = WATCH_MS): Promise<number> {
  if (holder.prefix === null) return 0
  const leases = await listLeases(db, holder.prefix)
  if (leases.length === 0) return 0
  await sleep(watchMs)
  return freeLeases(db, leases)
}
