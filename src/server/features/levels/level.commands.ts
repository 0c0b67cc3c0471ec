import type { Db } from '#server/db/database.ts'
import { type Level } from './level.queries.ts'

/** Caches the provider's price id; null clears it. No-op when the level's price has changed since the lookup. */
export async function saveStripePriceId(
  db: Db,
  { key, unitAmount }: Pick<Level, 'key' | 'unitAmount'>,
  stripePriceId: string | null,
): Promise<void> {
  await db
    .updateTable('membershipLevel')
    .set({ stripePriceId })
    .where('key', '=', key)
    .where('unitAmount', '=', unitAmount)
    .execute()
}
