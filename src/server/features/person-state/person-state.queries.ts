import type { Db } from '#server/db/database.ts'
import { type ReadJson, readJson } from '#server/db/schema/column-values.ts'
import type { AccountTable } from '#server/db/schema/account-schema.ts'
import type { DeathReportTable, PersonStateTable } from '#server/db/schema/roll-schema.ts'
import { findMergeTarget } from '#server/features/accounts/account-merge.queries.ts'

export type PersonDecision = ReadJson<PersonStateTable, 'sources'>

/** The decision in force about a person; null for the living. */
export async function findPersonDecision(db: Db, accountId: string): Promise<PersonDecision | null> {
  const row = await db.selectFrom('personState').selectAll().where('activeKey', '=', accountId).executeTakeFirst()
  return row ? readJson(row, 'sources') : null
}

/** Reports of a death that are not closed, oldest first. */
export async function listOpenReports(db: Db, accountId: string): Promise<DeathReportTable[]> {
  return db
    .selectFrom('deathReport')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('closedAt', 'is', null)
    .orderBy('reportedAt')
    .orderBy('id')
    .execute()
}

/** Whether an account is being ended for good, which a worker finishes. */
export async function isBeingEnded(db: Db, accountId: string): Promise<boolean> {
  const row = await db.selectFrom('accountDeletion').select('id').where('accountId', '=', accountId).executeTakeFirst()
  return row !== undefined
}

/** Whether officers have asked the provider to end the renewal of this membership because the person died, whatever came of it. */
export async function wasRenewalStopAsked(db: Db, accountId: string, membershipId: string): Promise<boolean> {
  const rows = await db
    .selectFrom('audit')
    .select('details')
    .where('subjectId', '=', accountId)
    .where('action', '=', 'membership.stop_asked')
    .execute()
  return rows.some(({ details }) => JSON.parse(details).deceased === membershipId)
}

/**
 * Whether an address belongs to a person of whom officers recorded the death, also as that of an account merged into the person's: nothing is ever sent
 * to it.
 */
export async function isAddressOfDeceased(db: Db, emailKey: string): Promise<boolean> {
  const accounts = await db
    .selectFrom('account')
    .select(['id', 'deactivatedBy'])
    .where('emailKey', '=', emailKey)
    .execute()
  if (accounts.some(({ deactivatedBy }) => deactivatedBy === 'deceased')) return true
  // Someone else has registered it since.
  if (accounts.some(({ deactivatedBy }) => deactivatedBy === null)) return false
  for (const { id } of accounts) {
    if ((await findRemainingAccount(db, id))?.deactivatedBy === 'deceased') return true
  }
  return false
}

/** The account that remains of one, after merges; null for one that was not merged. */
async function findRemainingAccount(db: Db, id: string): Promise<Pick<AccountTable, 'deactivatedBy'> | null> {
  const target = await findMergeTarget(db, id)
  if (target === null) return null
  const further = await findRemainingAccount(db, target)
  if (further !== null) return further
  return (await db.selectFrom('account').select('deactivatedBy').where('id', '=', target).executeTakeFirst()) ?? null
}
