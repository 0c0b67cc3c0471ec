import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'

export interface RateLimitWindow {
  count: number
  endsAt: number
}

/** Increments a key's counter and returns the count of the current window. A single statement, so the count is exact across instances. */
export async function countHit(
  db: Db,
  key: string,
  windowMs: number,
  now: number,
  amount = 1,
): Promise<RateLimitWindow> {
  const endsAt = now + windowMs
  const row = await db
    .insertInto('rateLimit')
    .values({ key, count: amount, windowEndsAt: endsAt })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        count: sql`case when rate_limit.window_ends_at <= ${now} then ${amount} else rate_limit.count + ${amount} end`,
        windowEndsAt: sql`case when rate_limit.window_ends_at <= ${now} then ${endsAt} else rate_limit.window_ends_at end`,
      }),
    )
    .returning(['count', 'windowEndsAt'])
    .executeTakeFirstOrThrow()
  return { count: row.count, endsAt: row.windowEndsAt }
}

/** Returns the count of the current window, 0 when there is none. */
export async function readHits(db: Db, key: string, now: number): Promise<RateLimitWindow> {
  const row = await db.selectFrom('rateLimit').selectAll().where('key', '=', key).executeTakeFirst()
  return row && row.windowEndsAt > now ? { count: row.count, endsAt: row.windowEndsAt } : { count: 0, endsAt: now }
}

export async function deleteEndedWindows(db: Db, now: number): Promise<void> {
  await db.deleteFrom('rateLimit').where('windowEndsAt', '<', now).execute()
}
