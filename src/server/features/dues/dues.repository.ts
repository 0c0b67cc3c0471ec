import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import { inBatches } from '#server/db/in-batches.ts'
import type { PriceChangeTable } from '#server/db/membership-schema.ts'
import type { MembershipFacts } from '../membership/membership.rules.ts'
import type { Holder } from './dues.rules.ts'

export interface PriceChangeRecord {
  id: string
  levelKey: string
  amountBefore: number
  amountAfter: number
  currency: string
  scope: PriceChangeTable['scope']
  startsAt: number
  state: PriceChangeTable['state']
  askedBy: string
  askedAt: number
}

export interface LevelHolder extends Holder {
  subscriptionId: string | null
  startedAt: number
}

/** Whether the amount of the coming renewal was told, or is about to be. */
const isTold = sql<number>`case when exists (
  select 1 from membership_notice n where n.membership_id = membership.id and n.about_at = membership.ends_at
  and n.kind in ('renewal_45', 'renewal_7') and n.state <> 'dropped') then 1 else 0 end`

/** Present memberships of a level whose accounts are open; whether their rights exist is for the rules to say. */
export async function listLevelHolders(db: Db, levelKey: string): Promise<LevelHolder[]> {
  return (await holders(db).where('level_key', '=', levelKey).execute()).map(toHolder)
}

/** The same of every level, by its key. */
export async function listAllHolders(db: Db): Promise<Map<string, LevelHolder[]>> {
  const byLevel = new Map<string, LevelHolder[]>()
  const present = await db.selectFrom('membership').select('id').where('is_current', '=', 1).execute()
  const ids = present.map(({ id }) => id)
  const rows = await inBatches(ids, (some) => holdersOnceOrNow(db).where('membership.id', 'in', some).execute())
  for (const row of rows) {
    if (row.is_current !== 1) continue
    const known = byLevel.get(row.level_key) ?? []
    byLevel.set(row.level_key, known)
    known.push(toHolder(row))
  }
  return byLevel
}

/** Subscriptions of a level that charge another amount than a change says, and have no place among its moves. */
export async function listUnmoved(
  db: Db,
  change: Pick<PriceChangeRecord, 'id' | 'levelKey' | 'amountAfter'>,
): Promise<LevelHolder[]> {
  const rows = await holders(db)
    .where('level_key', '=', change.levelKey)
    .where('stripe_subscription_id', 'is not', null)
    .where((eb) => eb.or([eb('renewal_amount', 'is', null), eb('renewal_amount', '<>', change.amountAfter)]))
    .where('stripe_subscription_id', 'not in', (eb) =>
      eb.selectFrom('price_move').select('subscription_id').where('change_id', '=', change.id),
    )
    .execute()
  return rows.map(toHolder)
}

/** The membership a subscription pays for, as long as it is the present one. */
export async function findHolder(db: Db, subscriptionId: string): Promise<(LevelHolder & { levelKey: string }) | null> {
  const row = await holders(db).where('stripe_subscription_id', '=', subscriptionId).executeTakeFirst()
  return row ? { ...toHolder(row), levelKey: row.level_key } : null
}

function holders(db: Db) {
  return holdersOnceOrNow(db).where('is_current', '=', 1)
}

/** Without a word on what is present: some are asked for by their ids, and an index of all present ones would only be in the way. */
function holdersOnceOrNow(db: Db) {
  return db
    .selectFrom('membership')
    .innerJoin('account', 'account.id', 'membership.account_id')
    .selectAll('membership')
    .select(isTold.as('is_told'))
    .where('deactivated_by', 'is', null)
}

type HolderRow = Awaited<ReturnType<ReturnType<typeof holders>['execute']>>[number]

function toHolder(row: HolderRow): LevelHolder {
  const facts: MembershipFacts = {
    kind: row.kind,
    endsAt: row.ends_at,
    stripeStatus: row.stripe_status,
    cancelAtPeriodEnd: row.cancel_at_period_end === 1,
    pastDueSince: row.past_due_since,
    nextAttemptAt: row.next_attempt_at,
    gaveUpAt: row.gave_up_at,
    endedAt: row.ended_at,
  }
  return {
    ...facts,
    renewalAmount: row.renewal_amount,
    isTold: Number(row.is_told) === 1,
    subscriptionId: row.stripe_subscription_id,
    startedAt: row.started_at,
  }
}

/** False when a change is planned for the level already. */
export async function insertPriceChange(db: Db, change: Omit<PriceChangeRecord, 'state'>): Promise<boolean> {
  const row = await db
    .insertInto('price_change')
    .values({
      id: change.id,
      level_key: change.levelKey,
      amount_before: change.amountBefore,
      amount_after: change.amountAfter,
      currency: change.currency,
      scope: change.scope,
      starts_at: change.startsAt,
      state: 'planned',
      asked_by: change.askedBy,
      asked_at: change.askedAt,
      begun_at: null,
      planned_key: change.levelKey,
    })
    .onConflict((conflict) => conflict.column('planned_key').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** True for the one call that settles what was planned. */
export async function settlePlanned(
  db: Db,
  id: string,
  { state, now }: { state: 'begun' | 'withdrawn'; now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('price_change')
    .set({ state, planned_key: null, begun_at: state === 'begun' ? now : null })
    .where('id', '=', id)
    .where('state', '=', 'planned')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function findPriceChange(db: Db, id: string): Promise<PriceChangeRecord | null> {
  const row = await db.selectFrom('price_change').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? toChange(row) : null
}

/** Of one level, or of all, in the order they were asked for. */
export async function listPriceChanges(db: Db, levelKey?: string): Promise<PriceChangeRecord[]> {
  let query = db.selectFrom('price_change').selectAll().orderBy('asked_at').orderBy('id')
  if (levelKey !== undefined) query = query.where('level_key', '=', levelKey)
  return (await query.execute()).map(toChange)
}

export async function setLevelAmount(db: Db, levelKey: string, unitAmount: number): Promise<void> {
  await db
    .updateTable('membership_level')
    // Prices are created, never changed: the one with this amount is looked up, or made.
    .set({ unit_amount: unitAmount, stripe_price_id: null })
    .where('key', '=', levelKey)
    .execute()
}

/** False when it is among the moves of this change already. */
export async function insertMove(
  db: Db,
  { changeId, subscriptionId }: { changeId: string; subscriptionId: string },
  now: number,
): Promise<boolean> {
  const row = await db
    .insertInto('price_move')
    .values({
      change_id: changeId,
      subscription_id: subscriptionId,
      state: 'waiting',
      queued_at: now,
      settled_at: null,
    })
    .onConflict((conflict) => conflict.columns(['change_id', 'subscription_id']).doNothing())
    .returning('change_id')
    .executeTakeFirst()
  return row !== undefined
}

export async function isWaitingToMove(db: Db, changeId: string, subscriptionId: string): Promise<boolean> {
  const row = await db
    .selectFrom('price_move')
    .select('state')
    .where('change_id', '=', changeId)
    .where('subscription_id', '=', subscriptionId)
    .executeTakeFirst()
  return row?.state === 'waiting'
}

export async function settleMove(
  db: Db,
  { changeId, subscriptionId }: { changeId: string; subscriptionId: string },
  { state, now }: { state: 'moved' | 'gone'; now: number },
): Promise<void> {
  await db
    .updateTable('price_move')
    .set({ state, settled_at: now })
    .where('change_id', '=', changeId)
    .where('subscription_id', '=', subscriptionId)
    .execute()
}

/** Forgets that a subscription was to be moved: it is asked about again after its next renewal. */
export async function forgetMove(
  db: Db,
  { changeId, subscriptionId }: { changeId: string; subscriptionId: string },
): Promise<void> {
  await db
    .deleteFrom('price_move')
    .where('change_id', '=', changeId)
    .where('subscription_id', '=', subscriptionId)
    .execute()
}

export type MoveCounts = Record<'waiting' | 'moved' | 'gone', number>

/** By change; a change without moves is not among them. */
export async function countMoves(db: Db): Promise<Map<string, MoveCounts>> {
  const rows = await db
    .selectFrom('price_move')
    .select((eb) => ['change_id', 'state', eb.fn.countAll<number>().as('count')])
    .groupBy(['change_id', 'state'])
    .execute()
  const counts = new Map<string, MoveCounts>()
  for (const { change_id: id, state, count } of rows) {
    counts.set(id, { ...(counts.get(id) ?? { waiting: 0, moved: 0, gone: 0 }), [state]: Number(count) })
  }
  return counts
}

export async function countOpenCheckouts(db: Db, levelKey: string, now: number): Promise<number> {
  const { count } = await db
    .selectFrom('checkout')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('level_key', '=', levelKey)
    .where('state', '=', 'open')
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function updateLevelWords(
  db: Db,
  key: string,
  { name, description, isOnSale }: { name: string; description: string; isOnSale: boolean },
): Promise<void> {
  await db
    .updateTable('membership_level')
    .set({ name, description, is_on_sale: isOnSale ? 1 : 0 })
    .where('key', '=', key)
    .execute()
}

export async function placeLevels(db: Db, keys: readonly string[]): Promise<void> {
  for (const [position, key] of keys.entries()) {
    await db.updateTable('membership_level').set({ position }).where('key', '=', key).execute()
  }
}

/** Names of whoever asked for changes. */
export async function listNames(db: Db, accountIds: readonly string[]): Promise<Map<string, string>> {
  if (accountIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('account')
    .select(['id', 'first_name', 'last_name'])
    .where('id', 'in', [...accountIds])
    .execute()
  return new Map(rows.map((row) => [row.id, `${row.first_name} ${row.last_name}`]))
}

function toChange(row: PriceChangeTable): PriceChangeRecord {
  return {
    id: row.id,
    levelKey: row.level_key,
    amountBefore: row.amount_before,
    amountAfter: row.amount_after,
    currency: row.currency,
    scope: row.scope,
    startsAt: row.starts_at,
    state: row.state,
    askedBy: row.asked_by,
    askedAt: row.asked_at,
  }
}
