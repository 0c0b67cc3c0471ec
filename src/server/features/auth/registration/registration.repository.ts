import { readJson, writeJson } from '#server/db/schema/column-values.ts'
import type { Db } from '#server/db/database.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'
import { type Registration } from './registration.queries.ts'

export async function saveRegistration(db: Db, registration: Registration): Promise<void> {
  await db
    .insertInto('pendingRegistration')
    .values({
      ...writeJson(registration, 'record'),
      emailKey: nameKey(registration.email),
      usernameKey: nameKey(registration.username),
    })
    .execute()
}

/** Returns the pending registrations of an address, newest first. */
export async function findPendingRegistrations(db: Db, email: string, now: number): Promise<Registration[]> {
  const registrations = await findRegistrationsByEmail(db, email, now)
  return registrations.filter(({ completedAt }) => completedAt === null)
}

/** Returns the pending registrations of an address, and those that became an account in the last day, newest first. */
export async function findRegistrationsByEmail(db: Db, email: string, now: number): Promise<Registration[]> {
  const rows = await db
    .selectFrom('pendingRegistration')
    .selectAll()
    .where('emailKey', '=', nameKey(email))
    .where('expiresAt', '>', now)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map((row) => readJson(row, 'record'))
}

/**
 * Locks the registrations of an address until the transaction ends (PostgreSQL; on SQLite, transactions run one at a
 * time).
 */
export async function lockRegistrations(db: Db, email: string): Promise<void> {
  await db
    .updateTable('pendingRegistration')
    .set({ emailKey: nameKey(email) })
    .where('emailKey', '=', nameKey(email))
    .execute()
}

/** Marks the registration as verified and extends it; later calls are no-ops. */
export async function markVerified(db: Db, id: string, { now, expiresAt }: { now: number; expiresAt: number }) {
  await db
    .updateTable('pendingRegistration')
    .set({ verifiedAt: now, expiresAt })
    .where('id', '=', id)
    .where('verifiedAt', 'is', null)
    .execute()
}

/**
 * Deletes the other registrations of an address once one is verified (docs/product-rules.md#usernames), except those
 * that a payment may still arrive for.
 */
export async function deleteOtherRegistrations(db: Db, { id, email }: { id: string; email: string }): Promise<void> {
  await db
    .deleteFrom('pendingRegistration')
    .where('emailKey', '=', nameKey(email))
    .where('id', '!=', id)
    .where('completedAt', 'is', null)
    .where((eb) =>
      eb.not(eb.exists(eb.selectFrom('checkout').select('id').whereRef('personId', '=', 'pendingRegistration.id'))),
    )
    .execute()
}

/** Deletes registrations that expired long ago: personal data of people who never joined is not kept. */
export async function deleteExpiredRegistrations(db: Db, before: number): Promise<void> {
  await db
    .deleteFrom('pendingRegistration')
    .where('expiresAt', '<', before)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('checkout')
            .select('id')
            .whereRef('personId', '=', 'pendingRegistration.id')
            .where('state', 'in', ['creating', 'open']),
        ),
      ),
    )
    .execute()
}
