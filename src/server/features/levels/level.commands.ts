import type { Db } from '#server/db/database.ts'
import { type Level } from './level.queries.ts'
import type { LevelsFile } from './level.schema.ts'

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

/** Never deletes levels, because memberships refer to them: omitted ones are no longer on sale. */
export async function replaceLevels(db: Db, levels: LevelsFile, newId: () => string): Promise<void> {
  await db.updateTable('membershipLevel').set({ isOnSale: 0 }).execute()
  for (const [position, level] of levels.entries()) {
    const row = {
      key: level.key,
      name: level.name,
      description: level.description,
      unitAmount: level.unitAmount,
      currency: level.currency,
      interval: level.interval ?? null,
      intervalCount: level.interval ? (level.intervalCount ?? 1) : null,
      position,
      isOnSale: 1,
      // The amount may have changed, so the price is looked up at the card provider again.
      stripePriceId: null,
    }
    await db
      .insertInto('membershipLevel')
      .values({ id: newId(), ...row })
      .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
      .execute()
  }
}

/** Of a site that no one has used yet: no membership may refer to a level. */
export async function deleteAllLevels(db: Db): Promise<void> {
  await db.deleteFrom('membershipLevel').execute()
}

/** The currency of all levels, for a site that has taken no payment yet. */
export async function setCurrency(db: Db, currency: string): Promise<void> {
  await db.updateTable('membershipLevel').set({ currency, stripePriceId: null }).execute()
}

/** Remembers what an officer chose for a name or price of an earlier system. */
export async function saveEarlierLevel(
  db: Db,
  { earlier, levelKey }: { earlier: string; levelKey: string | null },
  now: number,
): Promise<void> {
  await db
    .insertInto('earlierLevel')
    .values({ earlier, levelKey, chosenAt: now })
    .onConflict((conflict) => conflict.column('earlier').doUpdateSet({ levelKey, chosenAt: now }))
    .execute()
}
