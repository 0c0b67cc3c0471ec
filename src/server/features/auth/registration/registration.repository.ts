import type { Db } from '#server/db/database.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'
import { type Registration, toRegistration } from './registration.queries.ts'

export async function saveRegistration(db: Db, registration: Registration): Promise<void> {
  const { id, email, username } = registration
  await db
    .insertInto('pending_registration')
    .values({
      id,
      email,
      email_key: nameKey(email),
      username,
      username_key: nameKey(username),
      password_hash: registration.passwordHash,
      first_name: registration.firstName,
      last_name: registration.lastName,
      level_key: registration.levelKey,
      terms_version: registration.termsVersion,
      created_at: registration.createdAt,
      expires_at: registration.expiresAt,
      verified_at: registration.verifiedAt,
      completed_at: registration.completedAt,
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
    .selectFrom('pending_registration')
    .selectAll()
    .where('email_key', '=', nameKey(email))
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(toRegistration)
}

/**
 * Locks the registrations of an address until the transaction ends (PostgreSQL; on SQLite, transactions run one at a
 * time).
 */
export async function lockRegistrations(db: Db, email: string): Promise<void> {
  await db
    .updateTable('pending_registration')
    .set({ email_key: nameKey(email) })
    .where('email_key', '=', nameKey(email))
    .execute()
}

/** Marks the registration as verified and extends it; later calls are no-ops. */
export async function markVerified(db: Db, id: string, { now, expiresAt }: { now: number; expiresAt: number }) {
  await db
    .updateTable('pending_registration')
    .set({ verified_at: now, expires_at: expiresAt })
    .where('id', '=', id)
    .where('verified_at', 'is', null)
    .execute()
}

/**
 * Deletes the other registrations of an address once one is verified (docs/product-rules.md#usernames), except those
 * that a payment may still arrive for.
 */
export async function deleteOtherRegistrations(db: Db, { id, email }: { id: string; email: string }): Promise<void> {
  await db
    .deleteFrom('pending_registration')
    .where('email_key', '=', nameKey(email))
    .where('id', '!=', id)
    .where('completed_at', 'is', null)
    .where((eb) =>
      eb.not(eb.exists(eb.selectFrom('checkout').select('id').whereRef('person_id', '=', 'pending_registration.id'))),
    )
    .execute()
}

/** Deletes registrations that expired long ago: personal data of people who never joined is not kept. */
export async function deleteExpiredRegistrations(db: Db, before: number): Promise<void> {
  await db
    .deleteFrom('pending_registration')
    .where('expires_at', '<', before)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('checkout')
            .select('id')
            .whereRef('person_id', '=', 'pending_registration.id')
            .where('state', 'in', ['creating', 'open']),
        ),
      ),
    )
    .execute()
}
