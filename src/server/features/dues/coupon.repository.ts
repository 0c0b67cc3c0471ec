import { region } from '#contract/region.ts'
import type { Db } from '#server/db/database.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'
import type { CouponTable } from '#server/db/schema/membership-schema.ts'

export type Coupon = Omit<CouponTable, 'levels' | 'percentOff' | 'amountOff' | 'currency' | 'endedAt'> & {
  levelKeys: string[]
  off: { percent: number } | { amount: number; currency: string }
}

export type CountedCoupon = Coupon & {
  /** Number of payments made with it. */
  uses: number
}

/** Returns false if the code already exists. */
export async function insertCoupon(db: Db, coupon: Omit<Coupon, 'state' | 'stripePromotionId'>): Promise<boolean> {
  const { off, levelKeys, ...columns } = coupon
  const row = await db
    .insertInto('coupon')
    .values({
      ...columns,
      levels: JSON.stringify(levelKeys),
      percentOff: 'percent' in off ? off.percent : null,
      amountOff: 'amount' in off ? off.amount : null,
      currency: 'amount' in off ? off.currency : region().currency,
      state: 'waiting',
      stripePromotionId: null,
      endedAt: null,
    })
    .onConflict((conflict) => conflict.column('code').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function findCoupon(db: Db, id: string): Promise<Coupon | null> {
  const row = await db.selectFrom('coupon').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? readCoupon(row) : null
}

/** Newest first, with the number of payments made with each. */
export async function listCoupons(db: Db): Promise<CountedCoupon[]> {
  const rows = await db
    .selectFrom('coupon')
    .selectAll()
    .select((eb) =>
      eb
        .selectFrom('payment')
        .select((inner) => inner.fn.countAll<number>().as('uses'))
        .whereRef('payment.couponCode', '=', 'coupon.code')
        .as('uses'),
    )
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map((row) => ({ ...readCoupon(row), uses: Number(row.uses ?? 0) }))
}

/** Stores whether the provider created it. Returns false if it was ended in the meantime. */
export async function setCouponResult(
  db: Db,
  id: string,
  made: { state: 'active'; promotionId: string } | { state: 'refused' },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('coupon')
    .set({ state: made.state, ...(made.state === 'active' && { stripePromotionId: made.promotionId }) })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Returns false if it was no longer active. */
export async function endCoupon(db: Db, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('coupon')
    .set({ state: 'ended', endedAt: now })
    .where('id', '=', id)
    .where('state', 'in', ['waiting', 'active'])
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Whether this account, or another one with the same address, ever had a term of a paid level or made a payment. */
export async function hasHadPaidTerm(
  db: Db,
  { personId, email }: { personId: string; email: string },
): Promise<boolean> {
  const accounts = await db
    .selectFrom('account')
    .select('id')
    .where((eb) => eb.or([eb('id', '=', personId), eb('emailKey', '=', nameKey(email))]))
    .execute()
  const ids = accounts.map(({ id }) => id)
  if (ids.length === 0) return false
  const payment = await db.selectFrom('payment').select('id').where('accountId', 'in', ids).limit(1).executeTakeFirst()
  if (payment) return true
  const term = await db
    .selectFrom('membership')
    .innerJoin('membershipLevel', 'membershipLevel.key', 'membership.levelKey')
    .select('membership.id')
    .where('membership.accountId', 'in', ids)
    .where('membershipLevel.unitAmount', '>', 0)
    .limit(1)
    .executeTakeFirst()
  return term !== undefined
}

function readCoupon({ levels, percentOff, amountOff, currency, ...row }: CouponTable): Coupon {
  return {
    ...row,
    levelKeys: JSON.parse(levels) as string[],
    off: percentOff === null ? { amount: amountOff ?? 0, currency } : { percent: percentOff },
  }
}
