import { permissionsOf, type Permission } from '#contract/access.ts'
import type { Db } from '#server/db/database.ts'
import { listManagers } from './managers.queries.ts'
import { rolesOn } from './officer.queries.ts'

/** Returns the permissions an account has on a day through its roles; none if it is deactivated. */
export async function permissionsOn(db: Db, accountId: string, day: string): Promise<Permission[]> {
  return permissionsOf(await rolesOn(db, accountId, day))
}

/** Whether at least one active account that is not being deleted can manage officers on a day. */
export async function hasManager(db: Db, day: string, { without = '' }: { without?: string } = {}): Promise<boolean> {
  return (await listManagers(db, day)).some(({ accountId }) => accountId !== without)
}

/** Whether officers were appointed but none can manage officers any more; false for a new site without officers. */
export async function hasLostManagers(db: Db, day: string): Promise<boolean> {
  const known = await db.selectFrom('officerTerm').select('id').limit(1).executeTakeFirst()
  return known !== undefined && !(await hasManager(db, day))
}
