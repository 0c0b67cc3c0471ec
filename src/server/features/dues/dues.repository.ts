import { sql } from 'kysely'
import { readFlags } from '#server/db/schema/column-values.ts'
import type { Db } from '#server/db/database.ts'
import type { MembershipLevelTable, PriceChangeTable } from '#server/db/schema/membership-schema.ts'
import {
  ALL_MEMBERS,
  chosen,
  prepareList,
  type MemberFilter,
} from '#server/features/member-admin/member-list.queries.ts'
import type { StatusContext } from '#server/features/memberships/membership-state.queries.ts'
import type { PricedMember } from './dues.rules.ts'

export type PriceChangeRecord = Omit<PriceChangeTable, 'begunAt' | 'plannedKey'>

export interface LevelMember extends PricedMember {
  subscriptionId: string | null
  subscriptionImportedAt: number | null
  startedAt: number
}

/** Whether a reminder with the amount of the next renewal was sent or is about to be. */
const isReminded = sql<number>`case when exists (
  select 1 from membership_reminder n where n.membership_id = membership.id and n.about_at = membership.ends_at
  and n.kind in ('renewal_45', 'renewal_7') and n.state <> 'dropped') then 1 else 0 end`

/** Current memberships of a level whose accounts are active. The caller checks whether their rights are active. */
export async function listLevelMembers(db: Db, levelKey: string): Promise<LevelMember[]> {
  return (await currentMembers(db).where('levelKey', '=', levelKey).execute()).map(toLevelMember)
}

/** Members with rights of one level whose renewal a card does, or does not, pay with this amount. */
export interface HolderCount {
  levelKey: string
  isByCard: boolean
  /** What each renewal charges, in cents; null for the price of the level. */
  amount: number | null
  count: number
}

/** Counts the members with rights of one level, or of all. */
export async function countHolders(db: Db, moment: StatusContext, levelKey?: string): Promise<HolderCount[]> {
  const filter: MemberFilter = { ...ALL_MEMBERS, states: ['ACTIVE', 'PAST_DUE'] }
  if (levelKey !== undefined) filter.levelKeys = [levelKey]
  await prepareList(db, filter, moment)
  const holders = chosen(db, filter, moment)
    .select(['listed.levelKey', 'listed.renewalAmount as amount'])
    .select(sql<number>`case when listed.renewal = 'card' then 1 else 0 end`.as('isByCard'))
  const rows = await db
    .selectFrom(holders.as('holder'))
    .select(['levelKey', 'amount', 'isByCard'])
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .groupBy(['levelKey', 'amount', 'isByCard'])
    .execute()
  return rows.map(({ levelKey: key, amount, isByCard, count }) => ({
    levelKey: key ?? '',
    amount,
    isByCard: Number(isByCard) === 1,
    count: Number(count),
  }))
}

/** Subscriptions of a level that charge another amount than a change sets and are not among its moves. */
export async function listSubscriptionsToMove(
  db: Db,
  change: Pick<PriceChangeRecord, 'id' | 'levelKey' | 'amountAfter'>,
): Promise<LevelMember[]> {
  const rows = await currentMembers(db)
    .where('levelKey', '=', change.levelKey)
    .where('stripeSubscriptionId', 'is not', null)
    .where((eb) => eb.or([eb('renewalAmount', 'is', null), eb('renewalAmount', '<>', change.amountAfter)]))
    .where('stripeSubscriptionId', 'not in', (eb) =>
      eb.selectFrom('priceMove').select('subscriptionId').where('changeId', '=', change.id),
    )
    .execute()
  return rows.map(toLevelMember)
}

/** The membership that a subscription pays for, if it is the current one. */
export async function findMemberBySubscription(
  db: Db,
  subscriptionId: string,
): Promise<(LevelMember & { levelKey: string }) | null> {
  const row = await currentMembers(db).where('stripeSubscriptionId', '=', subscriptionId).executeTakeFirst()
  return row ? { ...toLevelMember(row), levelKey: row.levelKey } : null
}

function currentMembers(db: Db) {
  return db
    .selectFrom('membership')
    .innerJoin('account', 'account.id', 'membership.accountId')
    .selectAll('membership')
    .select(isReminded.as('isReminded'))
    .where('deactivatedBy', 'is', null)
    .where('isCurrent', '=', 1)
}

type MemberRow = Awaited<ReturnType<ReturnType<typeof currentMembers>['execute']>>[number]

function toLevelMember(row: MemberRow): LevelMember {
  const { stripeSubscriptionId: subscriptionId, ...member } = readFlags(row, 'cancelAtPeriodEnd', 'isReminded')
  return { ...member, subscriptionId }
}

/** Returns false if a change is already planned for the level. */
export async function insertPriceChange(db: Db, change: Omit<PriceChangeRecord, 'state'>): Promise<boolean> {
  const row = await db
    .insertInto('priceChange')
    .values({ ...change, state: 'planned', begunAt: null, plannedKey: change.levelKey })
    .onConflict((conflict) => conflict.column('plannedKey').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** True only for the one call that starts or withdraws the planned change. */
export async function closePlannedChange(
  db: Db,
  id: string,
  { state, now }: { state: 'begun' | 'withdrawn'; now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('priceChange')
    .set({ state, plannedKey: null, begunAt: state === 'begun' ? now : null })
    .where('id', '=', id)
    .where('state', '=', 'planned')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function findPriceChange(db: Db, id: string): Promise<PriceChangeRecord | null> {
  const row = await db.selectFrom('priceChange').selectAll().where('id', '=', id).executeTakeFirst()
  return row ?? null
}

/** The changes of one level, or of all, in the order they were requested. */
export async function listPriceChanges(db: Db, levelKey?: string): Promise<PriceChangeRecord[]> {
  let query = db.selectFrom('priceChange').selectAll().orderBy('askedAt').orderBy('id')
  if (levelKey !== undefined) query = query.where('levelKey', '=', levelKey)
  return query.execute()
}

export async function setLevelAmount(db: Db, levelKey: string, unitAmount: number): Promise<void> {
  await db
    .updateTable('membershipLevel')
    // Prices are created, never changed: the one with this amount is looked up or created later.
    .set({ unitAmount, stripePriceId: null })
    .where('key', '=', levelKey)
    .execute()
}

/** Returns false if the subscription is already among the moves of this change. */
export async function insertMove(
  db: Db,
  { changeId, subscriptionId }: { changeId: string; subscriptionId: string },
  now: number,
): Promise<boolean> {
  const row = await db
    .insertInto('priceMove')
    .values({
      changeId,
      subscriptionId,
      state: 'waiting',
      queuedAt: now,
      doneAt: null,
    })
    .onConflict((conflict) => conflict.columns(['changeId', 'subscriptionId']).doNothing())
    .returning('changeId')
    .executeTakeFirst()
  return row !== undefined
}

export async function isWaitingToMove(db: Db, changeId: string, subscriptionId: string): Promise<boolean> {
  const row = await db
    .selectFrom('priceMove')
    .select('state')
    .where('changeId', '=', changeId)
    .where('subscriptionId', '=', subscriptionId)
    .executeTakeFirst()
  return row?.state === 'waiting'
}

export async function completeMove(
  db: Db,
  { changeId, subscriptionId }: { changeId: string; subscriptionId: string },
  { state, now }: { state: 'moved' | 'gone'; now: number },
): Promise<void> {
  await db
    .updateTable('priceMove')
    .set({ state, doneAt: now })
    .where('changeId', '=', changeId)
    .where('subscriptionId', '=', subscriptionId)
    .execute()
}

/** Deletes a queued move. The job considers the subscription again after its next renewal. */
export async function deleteMove(
  db: Db,
  { changeId, subscriptionId }: { changeId: string; subscriptionId: string },
): Promise<void> {
  await db
    .deleteFrom('priceMove')
    .where('changeId', '=', changeId)
    .where('subscriptionId', '=', subscriptionId)
    .execute()
}

export type MoveCounts = Record<'waiting' | 'moved' | 'gone', number>

/** Keyed by change; changes without moves are missing. */
export async function countMoves(db: Db): Promise<Map<string, MoveCounts>> {
  const rows = await db
    .selectFrom('priceMove')
    .select((eb) => ['changeId', 'state', eb.fn.countAll<number>().as('count')])
    .groupBy(['changeId', 'state'])
    .execute()
  const counts = new Map<string, MoveCounts>()
  for (const { changeId: id, state, count } of rows) {
    counts.set(id, { ...(counts.get(id) ?? { waiting: 0, moved: 0, gone: 0 }), [state]: Number(count) })
  }
  return counts
}

export async function countOpenCheckouts(db: Db, levelKey: string, now: number): Promise<number> {
  const { count } = await db
    .selectFrom('checkout')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('levelKey', '=', levelKey)
    .where('state', '=', 'open')
    .where('expiresAt', '>', now)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function updateLevelDetails(
  db: Db,
  key: string,
  { name, description, isOnSale }: { name: string; description: string; isOnSale: boolean },
): Promise<void> {
  await db
    .updateTable('membershipLevel')
    .set({ name, description, isOnSale: isOnSale ? 1 : 0 })
    .where('key', '=', key)
    .execute()
}

/** Adds a level after all others. Returns false if its key is taken. */
export async function insertLevel(
  db: Db,
  level: Pick<
    MembershipLevelTable,
    'id' | 'key' | 'name' | 'description' | 'unitAmount' | 'currency' | 'interval' | 'intervalCount' | 'isOnSale'
  >,
): Promise<boolean> {
  const last = await db
    .selectFrom('membershipLevel')
    .select((eb) => eb.fn.max('position').as('position'))
    .executeTakeFirst()
  const row = await db
    .insertInto('membershipLevel')
    .values({ ...level, position: Number(last?.position ?? -1) + 1, stripePriceId: null })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function setLevelOrder(db: Db, keys: readonly string[]): Promise<void> {
  for (const [position, key] of keys.entries()) {
    await db.updateTable('membershipLevel').set({ position }).where('key', '=', key).execute()
  }
}

/** Names of the officers who requested changes. */
export async function listAccountNames(db: Db, accountIds: readonly string[]): Promise<Map<string, string>> {
  if (accountIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('account')
    .select(['id', 'firstName', 'lastName'])
    .where('id', 'in', [...accountIds])
    .execute()
  return new Map(rows.map((row) => [row.id, `${row.firstName} ${row.lastName}`]))
}
