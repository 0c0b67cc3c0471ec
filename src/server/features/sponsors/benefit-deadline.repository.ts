import type { BenefitKind } from '#contract/console/sponsors.ts'
import type { Db } from '#server/db/database.ts'

/** The deadlines of these sponsorships, by `sponsorship kind`. */
export async function listDeadlines(db: Db, sponsorshipIds: readonly string[]): Promise<Map<string, string>> {
  if (sponsorshipIds.length === 0) return new Map()
  const rows = await db.selectFrom('benefitDeadline').selectAll().where('sponsorshipId', 'in', sponsorshipIds).execute()
  return new Map(rows.map(({ sponsorshipId, kind, dueOn }) => [`${sponsorshipId} ${kind}`, dueOn]))
}

/** null removes it. */
export async function storeDeadline(
  db: Db,
  { sponsorshipId, kind, dueOn }: { sponsorshipId: string; kind: BenefitKind; dueOn: string | null },
): Promise<void> {
  if (dueOn === null) {
    await db.deleteFrom('benefitDeadline').where('sponsorshipId', '=', sponsorshipId).where('kind', '=', kind).execute()
    return
  }
  await db
    .insertInto('benefitDeadline')
    .values({ sponsorshipId, kind, dueOn })
    .onConflict((conflict) => conflict.columns(['sponsorshipId', 'kind']).doUpdateSet({ dueOn }))
    .execute()
}
