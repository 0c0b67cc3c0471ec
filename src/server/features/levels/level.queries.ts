import type { MembershipLevel } from '#contract/membership.ts'
import type { Db } from '#server/db/database.ts'
import type { MembershipLevelTable } from '#server/db/membership-schema.ts'

/** A level with what the site alone knows of it. */
export interface Level extends MembershipLevel {
  stripePriceId: string | null
  isOnSale: boolean
}

export async function listLevelsOnSale(db: Db): Promise<Level[]> {
  const rows = await db
    .selectFrom('membership_level')
    .selectAll()
    .where('is_on_sale', '=', 1)
    .orderBy('position')
    .execute()
  return rows.map(toLevel)
}

/** Those no longer on sale too: somebody may hold one. */
export async function listLevels(db: Db): Promise<Level[]> {
  const rows = await db.selectFrom('membership_level').selectAll().orderBy('position').execute()
  return rows.map(toLevel)
}

/** As `listLevels`, each to be found by its key. */
export async function levelsByKey(db: Db): Promise<ReadonlyMap<string, Level>> {
  return new Map((await listLevels(db)).map((level) => [level.key, level]))
}

export async function findLevel(db: Db, key: string): Promise<Level | null> {
  const row = await db.selectFrom('membership_level').selectAll().where('key', '=', key).executeTakeFirst()
  return row ? toLevel(row) : null
}

/** null: to be looked up again. Only while the level costs what it cost when the price was found: another price is another amount. */
export async function setLevelPrice(
  db: Db,
  { key, unitAmount }: Pick<Level, 'key' | 'unitAmount'>,
  stripePriceId: string | null,
): Promise<void> {
  await db
    .updateTable('membership_level')
    .set({ stripe_price_id: stripePriceId })
    .where('key', '=', key)
    .where('unit_amount', '=', unitAmount)
    .execute()
}

/** Without what only the site knows. */
export function toPublicLevel({ stripePriceId: _price, isOnSale: _onSale, ...level }: Level): MembershipLevel {
  return level
}

function toLevel(row: MembershipLevelTable): Level {
  return {
    _id: row.id,
    key: row.key,
    name: row.name,
    description: row.description,
    unitAmount: row.unit_amount,
    currency: row.currency,
    interval: row.interval,
    intervalCount: row.interval_count,
    isRecurring: row.interval !== null,
    stripePriceId: row.stripe_price_id,
    isOnSale: row.is_on_sale === 1,
  }
}
