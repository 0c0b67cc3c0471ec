import type { Db } from '#server/db/database.ts'
import type { PendingRegistrationTable } from '#server/db/schema/schema.ts'

/**
 * A pending registration: kept for 24 hours, then 24 more once the address is verified
 * (docs/product-rules.md#pending-registrations).
 */
export interface Registration {
  id: string
  email: string
  username: string
  passwordHash: string
  firstName: string
  lastName: string
  levelKey: string
  termsVersion: string
  createdAt: number
  expiresAt: number
  verifiedAt: number | null
  completedAt: number | null
}

export async function findRegistration(db: Db, id: string): Promise<Registration | null> {
  const row = await db.selectFrom('pendingRegistration').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? toRegistration(row) : null
}

export function toRegistration(row: PendingRegistrationTable): Registration {
  return {
    id: row.id,
    email: row.email,
    username: row.username,
    passwordHash: row.passwordHash,
    firstName: row.firstName,
    lastName: row.lastName,
    levelKey: row.levelKey,
    termsVersion: row.termsVersion,
    createdAt: row.createdAt,
    expiresAt: row.expiresAt,
    verifiedAt: row.verifiedAt,
    completedAt: row.completedAt,
  }
}
