import type { Selectable } from 'kysely'
import type { ConfirmedStep } from '#contract/setup/site-setup.ts'
import type { Db } from '#server/db/database.ts'
import type { SiteSetupTable } from '#server/db/schema/setup-schema.ts'

export type SiteSetup = Selectable<SiteSetupTable>

/** The set-up of a site that began closed; null for one that was open from the start. */
export async function findSetup(db: Db): Promise<SiteSetup | null> {
  return (await db.selectFrom('siteSetup').selectAll().executeTakeFirst()) ?? null
}

/** Whether visitors see the site. */
export async function isSiteOpen(db: Db): Promise<boolean> {
  const setup = await findSetup(db)
  return setup === null || setup.openedAt !== null
}

/** Whether an officer exists, which ends what the set-up code allows. */
export async function hasOfficer(db: Db): Promise<boolean> {
  return (await db.selectFrom('officerTerm').select('id').limit(1).executeTakeFirst()) !== undefined
}

export async function listConfirmedSteps(db: Db): Promise<Set<ConfirmedStep>> {
  const rows = await db.selectFrom('setupStep').select('step').execute()
  return new Set(rows.map(({ step }) => step))
}

/** When the last event of the card provider arrived, since its keys were stored if they were; null for none. */
export async function findLastProviderEvent(db: Db): Promise<number | null> {
  const row = await db
    .selectFrom('stripeEvent')
    .select(({ fn }) => fn.max('receivedAt').as('at'))
    .executeTakeFirst()
  const stored = await db
    .selectFrom('providerSetting')
    .select('savedAt')
    .where('name', '=', 'STRIPE_SECRET_KEY')
    .executeTakeFirst()
  const at = row?.at ?? null
  return at !== null && at >= (stored?.savedAt ?? 0) ? at : null
}
