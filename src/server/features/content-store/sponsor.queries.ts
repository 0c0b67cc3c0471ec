import type { Sponsor } from '#contract/public/sponsors.ts'
import type { Db } from '#server/db/database.ts'

/** In display order. */
export async function listSponsors(db: Db): Promise<Sponsor[]> {
  return db.selectFrom('sponsor').select(['id', 'name', 'logo', 'website']).orderBy('position').execute()
}

/** A sponsorship tier. */
export interface Tier {
  key: string
  name: string
  amountLabel: string
  /** Cents; null if the sponsor chooses the amount. */
  unitAmount: number | null
  remarksMinutes: number | null
  reservedTable: boolean
  benefits: string[]
}

/** In display order. */
export async function listTiers(db: Db): Promise<Tier[]> {
  const rows = await db.selectFrom('tier').selectAll().orderBy('position').execute()
  return rows.map((row) => ({
    key: row.key,
    name: row.name,
    amountLabel: row.amountLabel,
    unitAmount: row.unitAmount,
    remarksMinutes: row.remarksMinutes,
    reservedTable: row.reservedTable === 1,
    benefits: JSON.parse(row.benefits) as string[],
  }))
}
