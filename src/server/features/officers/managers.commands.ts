import type { Db } from '#server/db/database.ts'
import { Problem } from '#server/lib/problem.ts'
import { lockPresidents } from './officer.commands.ts'
import { listManagers } from './managers.queries.ts'

/**
 * Throws if this account is the last one that may manage officers. Call it in the transaction that begins to close the
 * account. Call `lockPresidents` before locking the account: every transaction that takes both locks uses this order.
 * @throws Problem LAST_PRESIDENT
 */
export async function requireAnotherManager(db: Db, accountId: string, day: string): Promise<void> {
  await lockPresidents(db)
  const managers = await listManagers(db, day)
  const isManager = managers.some((manager) => manager.accountId === accountId)
  if (isManager && managers.length === 1) throw new Problem('LAST_PRESIDENT')
}
