import { permissionsOf, type Permission } from '#contract/access.ts'
import type { Db } from '#server/db/database.ts'
import { listManagers } from './managers.repository.ts'
import { rolesOn } from './officer.repository.ts'

/** What somebody may do on a day by the roles they hold; nothing with a closed account. */
export async function permissionsOn(db: Db, accountId: string, day: string): Promise<Permission[]> {
  return permissionsOf(await rolesOn(db, accountId, day))
}

/** Whether anyone can manage the officers on a day: holds a role for it, with an account that is open and not being deleted. */
export async function isManaged(db: Db, day: string, { without = '' }: { without?: string } = {}): Promise<boolean> {
  return (await listManagers(db, day)).some(({ accountId }) => accountId !== without)
}

/** Whether officers were ever appointed and nobody can manage them any more. A new site without officers is none. */
export async function isUnmanaged(db: Db, day: string): Promise<boolean> {
  const known = await db.selectFrom('officer_term').select('id').limit(1).executeTakeFirst()
  return known !== undefined && !(await isManaged(db, day))
}
