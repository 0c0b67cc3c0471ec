import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#server/db/database.ts'
import type { Clock } from '#server/lib/clock.ts'

const NAME = 'site-is-running'
const INTERVAL_MS = 10_000
/** One interval, with margin for a slow database. */
const WAIT_FOR_MS = 15_000
/** Clocks may differ by minutes, or by hours with a wrong time zone, but not by a day. */
const STALE_AFTER_MS = 86_400_000
const POLL_INTERVAL_MS = 500

/** A running site writes a heartbeat to its database every ten seconds, for commands that need exclusive access to the database. */
export function startHeartbeat({ db, clock, polling }: { db: Db; clock: Clock; polling: boolean }): { stop(): void } {
  async function beat(): Promise<void> {
    const now = clock.now()
    await db
      .insertInto('job')
      .values({ name: NAME, dueAt: now + INTERVAL_MS, leasedUntil: null, lastDoneAt: now, lastError: null })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ dueAt: now + INTERVAL_MS, lastDoneAt: now }))
      .execute()
      // A missed heartbeat is harmless; other queries report the outage.
      .catch(() => {})
  }
  if (!polling) return { stop() {} }
  void beat()
  const timer = setInterval(() => void beat(), INTERVAL_MS)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}

/**
 * Whether a site is running on this database, here or on another machine. Watches whether the heartbeat advances rather than how recent it is, since clocks may
 * differ; returns immediately when the last heartbeat is more than a day old.
 * @param onWait called once, before waiting
 */
export async function isSiteRunning(db: Db, clock: Clock, onWait: () => void): Promise<boolean> {
  const before = await readLastHeartbeat(db)
  if (before === null || before < clock.now() - STALE_AFTER_MS) return false
  onWait()
  const deadline = performance.now() + WAIT_FOR_MS
  while (performance.now() < deadline) {
    await sleep(POLL_INTERVAL_MS)
    if ((await readLastHeartbeat(db)) !== before) return true
  }
  return false
}

async function readLastHeartbeat(db: Db): Promise<number | null> {
  const row = await db.selectFrom('job').select('lastDoneAt').where('name', '=', NAME).executeTakeFirst()
  return row?.lastDoneAt ?? null
}
