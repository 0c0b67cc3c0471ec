import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../db/database.ts'
import type { Clock } from './clock.ts'

const NAME = 'site-is-running'
const EVERY_MS = 10_000
/** A turn, and a database that is slow to take it. */
const GONE_AFTER_MS = 15_000
/** Clocks may be minutes off, or hours with a wrong time zone: not a day. */
const LONG_AGO_MS = 86_400_000
const LOOK_EVERY_MS = 500

/** A running site says so in its database every ten seconds, for commands that must have the database to themselves. */
export function startPresence({ db, clock, polling }: { db: Db; clock: Clock; polling: boolean }): { stop(): void } {
  async function tell(): Promise<void> {
    const now = clock.now()
    await db
      .insertInto('job')
      .values({ name: NAME, due_at: now + EVERY_MS, leased_until: null, last_done_at: now, last_error: null })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ due_at: now + EVERY_MS, last_done_at: now }))
      .execute()
      // Whoever needs the database tells that it is away.
      .catch(() => {})
  }
  if (!polling) return { stop() {} }
  void tell()
  const timer = setInterval(() => void tell(), EVERY_MS)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}

/**
 * Whether a site runs on this database, here or on another machine: whether it goes on saying so. Not whether it said so just now, since the two clocks
 * may differ. Only one that was silent for a day is not waited for.
 * @param onWait called once when that takes a while
 */
export async function isSiteRunning(db: Db, clock: Clock, onWait: () => void): Promise<boolean> {
  const before = await lastHeard(db)
  if (before === null || before < clock.now() - LONG_AGO_MS) return false
  onWait()
  const deadline = performance.now() + GONE_AFTER_MS
  while (performance.now() < deadline) {
    await sleep(LOOK_EVERY_MS)
    if ((await lastHeard(db)) !== before) return true
  }
  return false
}

async function lastHeard(db: Db): Promise<number | null> {
  const row = await db.selectFrom('job').select('last_done_at').where('name', '=', NAME).executeTakeFirst()
  return row?.last_done_at ?? null
}
