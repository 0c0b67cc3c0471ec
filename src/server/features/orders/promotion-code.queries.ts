import type { Db } from '#server/db/database.ts'

export async function findCodeByPromotion(db: Db, stripePromotionId: string): Promise<string | null> {
  const row = await db
    .selectFrom('coupon')
    .select('code')
    .where('stripePromotionId', '=', stripePromotionId)
    .executeTakeFirst()
  return row?.code ?? null
}
