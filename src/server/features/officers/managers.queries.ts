import { permissionsOf, ROLES } from '#contract/access.ts'
import type { Db } from '#server/db/database.ts'

export interface OfficerManager {
  accountId: string
  firstName: string
  email: string
}

/** Roles that may assign and end roles of others. */
export const MANAGING_ROLES = ROLES.filter((role) => permissionsOf([role]).includes('officers.change'))

/**
 * Returns the accounts that may manage officers on a day, once each; excludes accounts that are closed or being
 * deleted.
 */
export async function listManagers(db: Db, day: string): Promise<OfficerManager[]> {
  const rows = await db
    .selectFrom('account')
    .select(['id', 'firstName', 'email'])
    .where('deactivatedBy', 'is', null)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('officerTerm')
        .select('accountId')
        .where('role', 'in', MANAGING_ROLES)
        .where('startsOn', '<=', day)
        .where('endsOn', '>=', day)
        .where('endedAt', 'is', null),
    )
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('accountDeletion')
            .select('accountDeletion.id')
            .whereRef('accountDeletion.accountId', '=', 'account.id'),
        ),
      ),
    )
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ accountId: row.id, firstName: row.firstName, email: row.email }))
}
