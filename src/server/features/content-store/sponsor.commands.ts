import type { Sponsor } from '#contract/sponsors.ts'
import type { Db } from '#server/db/database.ts'

/** In the order they are shown. */
export async function listSponsors(db: Db): Promise<Sponsor[]> {
  return db.selectFrom('sponsor').select(['id', 'name', 'logo', 'website']).orderBy('position').execute()
}

/** Call with `raiseContentVersion` in one transaction. */
export async function replaceSponsors(db: Db, sponsors: readonly Sponsor[]): Promise<void> {
  await db.deleteFrom('sponsor').execute()
  if (sponsors.length === 0) return
  await db
    .insertInto('sponsor')
    .values(sponsors.map((sponsor, position) => ({ ...sponsor, position })))
    .execute()
}

/** A sponsorship tier. */
export interface Tier {
  key: string
  name: string
  amountLabel: string
  /** Cents; null where the sponsor names the amount. */
  unitAmount: number | null
  remarksMinutes: number | null
  reservedTable: boolean
  benefits: string[]
}

/** In the order they are shown. */
export async function listTiers(db: Db): Promise<Tier[]> {
  const rows = await db.selectFrom('tier').selectAll().orderBy('position').execute()
  return rows.map((row) => ({
    key: row.key,
    name: row.name,
    amountLabel: row.amount_label,
    unitAmount: row.unit_amount,
    remarksMinutes: row.remarks_minutes,
    reservedTable: row.reserved_table === 1,
    benefits: JSON.parse(row.benefits) as string[],
  }))
}

/** Call with `raiseContentVersion` in one transaction. */
export async function replaceTiers(db: Db, tiers: readonly Tier[]): Promise<void> {
  await db.deleteFrom('tier').execute()
  if (tiers.length === 0) return
  await db
    .insertInto('tier')
    .values(
      tiers.map((tier, position) => ({
        key: tier.key,
        name: tier.name,
        amount_label: tier.amountLabel,
        unit_amount: tier.unitAmount,
        remarks_minutes: tier.remarksMinutes,
        reserved_table: tier.reservedTable ? 1 : 0,
        benefits: JSON.stringify(tier.benefits),
        position,
      })),
    )
    .execute()
}
