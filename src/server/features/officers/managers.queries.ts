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
    .select(['id', 'first_name', 'email'])
    .where('deactivated_by', 'is', null)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('officer_term')
        .select('account_id')
        .where('role', 'in', MANAGING_ROLES)
        .where('starts_on', '<=', day)
        .where('ends_on', '>=', day)
        .where('ended_at', 'is', null),
    )
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('account_deletion')
            .select('account_deletion.id')
            .whereRef('account_deletion.account_id', '=', 'account.id'),
        ),
      ),
    )
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ accountId: row.id, firstName: row.first_name, email: row.email }))
}
