import type { Db } from '#server/db/database.ts'
import type { PendingRegistrationTable } from '#server/db/schema.ts'
import { nameKey } from '../account/account.repository.ts'

/** Someone who filled in the form: kept 24 hours, then 24 more once the address is verified (docs/product-rules.md#pending-registrations). */
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

export async function findRegistration(db: Db, id: string): Promise<Registration | null> {
  const row = await db.selectFrom('pending_registration').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? toRegistration(row) : null
}

/** All that wait for an address, newest first. */
export async function findWaitingRegistrations(db: Db, email: string, now: number): Promise<Registration[]> {
  const registrations = await findRegistrationsOfAddress(db, email, now)
  return registrations.filter(({ completedAt }) => completedAt === null)
}

/** Those that wait for an address, and those that became an account in the last day, newest first. */
export async function findRegistrationsOfAddress(db: Db, email: string, now: number): Promise<Registration[]> {
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

/** Takes the locks of all that wait for an address until the transaction ends (PostgreSQL; on SQLite a transaction is alone anyway). */
export async function lockRegistrations(db: Db, email: string): Promise<void> {
  await db
    .updateTable('pending_registration')
    .set({ email_key: nameKey(email) })
    .where('email_key', '=', nameKey(email))
    .execute()
}

/** The first call marks and extends it; later ones change nothing. */
export async function markVerified(db: Db, id: string, { now, expiresAt }: { now: number; expiresAt: number }) {
  await db
    .updateTable('pending_registration')
    .set({ verified_at: now, expires_at: expiresAt })
    .where('id', '=', id)
    .where('verified_at', 'is', null)
    .execute()
}

/** True for the one call that completes it; takes the row's lock until the transaction ends. */
export async function markCompleted(db: Db, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('pending_registration')
    .set({ completed_at: now })
    .where('id', '=', id)
    .where('completed_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function extendRegistration(db: Db, id: string, expiresAt: number): Promise<void> {
  await db
    .updateTable('pending_registration')
    .set({ expires_at: expiresAt })
    .where('id', '=', id)
    .where('expires_at', '<', expiresAt)
    .execute()
}

/** Verifying one registration discards the others of its address (docs/product-rules.md#usernames), but for those a payment may still arrive for. */
export async function discardOtherRegistrations(db: Db, { id, email }: { id: string; email: string }): Promise<void> {
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

/** Removes those long past, so that personal data of people who never joined does not stay. */
export async function forgetExpiredRegistrations(db: Db, before: number): Promise<void> {
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

function toRegistration(row: PendingRegistrationTable): Registration {
  return {
    id: row.id,
    email: row.email,
    username: row.username,
    passwordHash: row.password_hash,
    firstName: row.first_name,
    lastName: row.last_name,
    levelKey: row.level_key,
    termsVersion: row.terms_version,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    verifiedAt: row.verified_at,
    completedAt: row.completed_at,
  }
}
