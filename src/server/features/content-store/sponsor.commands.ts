import type { Sponsor } from '#contract/public/sponsors.ts'
import type { Db } from '#server/db/database.ts'
import { type Tier } from './sponsor.queries.ts'

/** Call in the same transaction as `incrementContentVersion`. */
export async function replaceSponsors(db: Db, sponsors: readonly Sponsor[]): Promise<void> {
  await db.deleteFrom('sponsor').execute()
  if (sponsors.length === 0) return
  await db
    .insertInto('sponsor')
    .values(sponsors.map((sponsor, position) => ({ ...sponsor, position })))
    .execute()
}

/** Call in the same transaction as `incrementContentVersion`. */
export async function replaceTiers(db: Db, tiers: readonly Tier[]): Promise<void> {
  await db.deleteFrom('tier').execute()
  if (tiers.length === 0) return
  await db
    .insertInto('tier')
    .values(
      tiers.map((tier, position) => ({
        key: tier.key,
        name: tier.name,
        amountLabel: tier.amountLabel,
        unitAmount: tier.unitAmount,
        remarksMinutes: tier.remarksMinutes,
        reservedTable: tier.reservedTable ? 1 : 0,
        benefits: JSON.stringify(tier.benefits),
        position,
      })),
    )
    .execute()
}
