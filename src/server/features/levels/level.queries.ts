import type { MembershipLevel } from '#contract/public/membership.ts'
import type { Db } from '#server/db/database.ts'
import type { MembershipLevelTable } from '#server/db/schema/membership-schema.ts'
import type { EarlierLevels } from './earlier-levels.rules.ts'
import type { LevelsFile } from './level.schema.ts'

/** A level with its internal fields. */
export interface Level extends MembershipLevel {
  stripePriceId: string | null
  isOnSale: boolean
}

export async function listLevelsOnSale(db: Db): Promise<Level[]> {
  const rows = await db
    .selectFrom('membershipLevel')
    .selectAll()
    .where('isOnSale', '=', 1)
    .orderBy('position')
    .execute()
  return rows.map(toLevel)
}

/** Includes levels no longer on sale, which members may still have. */
export async function listLevels(db: Db): Promise<Level[]> {
  const rows = await db.selectFrom('membershipLevel').selectAll().orderBy('position').execute()
  return rows.map(toLevel)
}

/** All levels by key. */
export async function levelsByKey(db: Db): Promise<ReadonlyMap<string, Level>> {
  return new Map((await listLevels(db)).map((level) => [level.key, level]))
}

export async function findLevel(db: Db, key: string): Promise<Level | null> {
  const row = await db.selectFrom('membershipLevel').selectAll().where('key', '=', key).executeTakeFirst()
  return row ? toLevel(row) : null
}

/** Strips the internal fields. */
export function toPublicLevel({ stripePriceId: _price, isOnSale: _onSale, ...level }: Level): MembershipLevel {
  return level
}

function toLevel(row: MembershipLevelTable): Level {
  return {
    _id: row.id,
    key: row.key,
    name: row.name,
    description: row.description,
    unitAmount: row.unitAmount,
    currency: row.currency,
    interval: row.interval,
    intervalCount: row.intervalCount,
    isRecurring: row.interval !== null,
    stripePriceId: row.stripePriceId,
    isOnSale: row.isOnSale === 1,
  }
}

/** The levels on sale, in the format of `replaceLevels`. */
export async function readLevels(db: Db): Promise<LevelsFile> {
  const rows = await db
    .selectFrom('membershipLevel')
    .selectAll()
    .where('isOnSale', '=', 1)
    .orderBy('position')
    .execute()
  return rows.map(({ key, name, description, currency, ...row }) => ({
    key,
    name,
    description,
    unitAmount: row.unitAmount,
    currency,
    ...(row.interval && { interval: row.interval }),
    ...(row.intervalCount && { intervalCount: row.intervalCount }),
  }))
}

export async function listEarlierLevels(db: Db): Promise<EarlierLevels> {
  const rows = await db.selectFrom('earlierLevel').selectAll().execute()
  return new Map(rows.map(({ earlier, levelKey }) => [earlier, levelKey]))
}
