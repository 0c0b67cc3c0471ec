import { type ReadJson, readJson } from '#server/db/schema/column-values.ts'
import type { Db } from '#server/db/database.ts'
import type { PendingRegistrationTable } from '#server/db/schema/schema.ts'

/**
 * A pending registration: kept for 24 hours, then 24 more once the address is verified
 * (docs/product-rules.md#pending-registrations).
 */
export type Registration = ReadJson<Omit<PendingRegistrationTable, 'emailKey' | 'usernameKey'>, 'record'>

export async function findRegistration(db: Db, id: string): Promise<Registration | null> {
  const row = await db.selectFrom('pendingRegistration').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? readJson(row, 'record') : null
}
