import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import { queryInChunks } from '#server/db/chunked-queries.ts'
import type { PriceChangeTable } from '#server/db/schema/membership-schema.ts'
import type { MembershipSnapshot } from '#server/features/memberships/membership.rules.ts'
import type { PricedMember } from './dues.rules.ts'

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

export interface LevelMember extends PricedMember {
  subscriptionId: string | null
  startedAt: number
}

/** Whether a reminder with the amount of the next renewal was sent or is about to be. */
const isReminded = sql<number>`case when exists (
  select 1 from membership_reminder n where n.membership_id = membership.id and n.about_at = membership.ends_at
  and n.kind in ('renewal_45', 'renewal_7') and n.state <> 'dropped') then 1 else 0 end`

/** Current memberships of a level whose accounts are active. The caller checks whether their rights are active. */
export async function listLevelMembers(db: Db, levelKey: string): Promise<LevelMember[]> {
  return (await currentMembers(db).where('level_key', '=', levelKey).execute()).map(toLevelMember)
}

/** Same as `listLevelMembers`, for all levels, by level key. */
export async function listAllLevelMembers(db: Db): Promise<Map<string, LevelMember[]>> {
  const byLevel = new Map<string, LevelMember[]>()
  const present = await db.selectFrom('membership').select('id').where('is_current', '=', 1).execute()
  const ids = present.map(({ id }) => id)
  const rows = await queryInChunks(ids, (some) => membersQuery(db).where('membership.id', 'in', some).execute())
  for (const row of rows) {
    if (row.is_current !== 1) continue
    const known = byLevel.get(row.level_key) ?? []
    byLevel.set(row.level_key, known)
    known.push(toLevelMember(row))
  }
  return byLevel
}

/** Subscriptions of a level that charge another amount than a change sets and are not among its moves. */
export async function listSubscriptionsToMove(
  db: Db,
  change: Pick<PriceChangeRecord, 'id' | 'levelKey' | 'amountAfter'>,
): Promise<LevelMember[]> {
  const rows = await currentMembers(db)
    .where('level_key', '=', change.levelKey)
    .where('stripe_subscription_id', 'is not', null)
    .where((eb) => eb.or([eb('renewal_amount', 'is', null), eb('renewal_amount', '<>', change.amountAfter)]))
    .where('stripe_subscription_id', 'not in', (eb) =>
      eb.selectFrom('price_move').select('subscription_id').where('change_id', '=', change.id),
    )
    .execute()
  return rows.map(toLevelMember)
}

/** The membership that a subscription pays for, if it is the current one. */
export async function findMemberBySubscription(
  db: Db,
  subscriptionId: string,
): Promise<(LevelMember & { levelKey: string }) | null> {
  const row = await currentMembers(db).where('stripe_subscription_id', '=', subscriptionId).executeTakeFirst()
  return row ? { ...toLevelMember(row), levelKey: row.level_key } : null
}

function currentMembers(db: Db) {
  return membersQuery(db).where('is_current', '=', 1)
}

/** Not restricted to current memberships: some callers select by id, and the index of current memberships would slow them down. */
function membersQuery(db: Db) {
  return db
    .selectFrom('membership')
    .innerJoin('account', 'account.id', 'membership.account_id')
    .selectAll('membership')
    .select(isReminded.as('is_reminded'))
    .where('deactivated_by', 'is', null)
}

type MemberRow = Awaited<ReturnType<ReturnType<typeof currentMembers>['execute']>>[number]

function toLevelMember(row: MemberRow): LevelMember {
  const snapshot: MembershipSnapshot = {
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
    ...snapshot,
    renewalAmount: row.renewal_amount,
    isReminded: Number(row.is_reminded) === 1,
    subscriptionId: row.stripe_subscription_id,
    startedAt: row.started_at,
  }
}

/** Returns false if a change is already planned for the level. */
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

/** True only for the one call that starts or withdraws the planned change. */
export async function closePlannedChange(
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

/** The changes of one level, or of all, in the order they were requested. */
export async function listPriceChanges(db: Db, levelKey?: string): Promise<PriceChangeRecord[]> {
  let query = db.selectFrom('price_change').selectAll().orderBy('asked_at').orderBy('id')
  if (levelKey !== undefined) query = query.where('level_key', '=', levelKey)
  return (await query.execute()).map(toChange)
}

export async function setLevelAmount(db: Db, levelKey: string, unitAmount: number): Promise<void> {
  await db
    .updateTable('membership_level')
    // Prices are created, never changed: the one with this amount is looked up or created later.
    .set({ unit_amount: unitAmount, stripe_price_id: null })
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
    .insertInto('price_move')
    .values({
      change_id: changeId,
      subscription_id: subscriptionId,
      state: 'waiting',
      queued_at: now,
      done_at: null,
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

export async function completeMove(
  db: Db,
  { changeId, subscriptionId }: { changeId: string; subscriptionId: string },
  { state, now }: { state: 'moved' | 'gone'; now: number },
): Promise<void> {
  await db
    .updateTable('price_move')
    .set({ state, done_at: now })
    .where('change_id', '=', changeId)
    .where('subscription_id', '=', subscriptionId)
    .execute()
}

/** Deletes a queued move. The job considers the subscription again after its next renewal. */
export async function deleteMove(
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

/** Keyed by change; changes without moves are missing. */
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

export async function updateLevelDetails(
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

export async function setLevelOrder(db: Db, keys: readonly string[]): Promise<void> {
  for (const [position, key] of keys.entries()) {
    await db.updateTable('membership_level').set({ position }).where('key', '=', key).execute()
  }
}

/** Names of the officers who requested changes. */
export async function listAccountNames(db: Db, accountIds: readonly string[]): Promise<Map<string, string>> {
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
