import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../db/database.ts'
import { freeLeases, listLeases } from './outbox.repository.ts'

/** Work that lasts longer renews its lease so often, and shows by that that its process lives. */
export const RENEW_EVERY_MS = 1_000
/** Two renewals, and a database that is slow to take them. */
const SILENT_FOR_MS = 3_000

/** A process, as the rows it holds name it. */
export interface Holder {
  /** Written into `leased_by`. */
  id: string
  /** How the id of every process of this instance begins; null for one that leaves nothing to a successor, such as a command. */
  prefix: string | null
}

export function createHolder(instanceName: string | null = null): Holder {
  const prefix = instanceName === null ? null : `${instanceName}/`
  return { id: `${prefix ?? ''}${randomBytes(9).toString('hex')}`, prefix }
}

/**
 * Frees what an earlier process of this instance held when it was killed, instead of waiting until its leases end. Looks for a few seconds whether a lease is
 * still renewed: one that is belongs to a process that lives, such as one that is just ending, and stays.
 * @returns how many effects became free
 */
export async function freeLeasesOfPredecessor(db: Db, holder: Holder, watchMs = SILENT_FOR_MS): Promise<number> {
  if (holder.prefix === null) return 0
  const leases = await listLeases(db, holder.prefix)
  if (leases.length === 0) return 0
  await sleep(watchMs)
  return freeLeases(db, leases)
}
