import { permissionsOf, ROLES } from '#contract/access.ts'
import type { Db } from '#server/db/database.ts'
import { Problem } from '#server/platform/problem.ts'
import { lockPresidents } from './officer.repository.ts'

export interface Manager {
  accountId: string
  firstName: string
  email: string
}

/** Roles that give and end those of others. */
export const MANAGING_ROLES = ROLES.filter((role) => permissionsOf([role]).includes('officers.change'))

/** Those who may manage the officers on a day, each once. An account that is closed, or about to be, does not count. */
export async function listManagers(db: Db, day: string): Promise<Manager[]> {
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

/**
 * Refuses to let the last person go who may manage the officers. Call it in the transaction that begins to close the account, and call
 * `lockPresidents` before the account is locked there: every transaction that takes both locks takes them in this order.
 * @throws Problem LAST_PRESIDENT
 */
export async function requireAnotherManager(db: Db, accountId: string, day: string): Promise<void> {
  await lockPresidents(db)
  const managers = await listManagers(db, day)
  const isManager = managers.some((manager) => manager.accountId === accountId)
  if (isManager && managers.length === 1) throw new Problem('LAST_PRESIDENT')
}
