import { sql, type Insertable } from 'kysely'
import type { Db } from '#server/db/database.ts'
import type { AccountTable } from '#server/db/schema/account-schema.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'
import { type Account, type NewAccount, findAccount, findAccountByLogin } from './account.queries.ts'

/**
 * Reserves a username for an address. Returns false if an account has it or it is reserved for another address. A
 * single statement, so of two concurrent requests only one succeeds.
 */
export async function reserveUsername(
  db: Db,
  { username, email, until, now }: { username: string; email: string; until: number; now: number },
): Promise<boolean> {
  const reservedFor = nameKey(email)
  const row = await db
    .insertInto('loginName')
    .values({ nameKey: nameKey(username), accountId: null, reservedFor, reservedUntil: until })
    .onConflict((conflict) =>
      conflict
        .column('nameKey')
        .doUpdateSet({ reservedFor, reservedUntil: until })
        .where('loginName.accountId', 'is', null)
        .where((eb) =>
          eb.or([eb('loginName.reservedUntil', '<=', now), eb('loginName.reservedFor', '=', reservedFor)]),
        ),
    )
    .returning('nameKey')
    .executeTakeFirst()
  return row !== undefined
}

/** Extends a reservation; no-op if the username is now held for another address. */
export async function extendReservation(
  db: Db,
  { username, email, until }: { username: string; email: string; until: number },
): Promise<void> {
  await db
    .updateTable('loginName')
    .set({ reservedUntil: until })
    .where('nameKey', '=', nameKey(username))
    .where('accountId', 'is', null)
    .where('reservedFor', '=', nameKey(email))
    .where('reservedUntil', '<', until)
    .execute()
}

/** Deletes expired reservations, and with them the addresses they were held for. */
export async function deleteExpiredReservations(db: Db, before: number): Promise<void> {
  await db.deleteFrom('loginName').where('accountId', 'is', null).where('reservedUntil', '<', before).execute()
}

/** Assigns a name to an account. Returns false if another account has it or it is reserved for another address. */
export async function assignLoginName(
  db: Db,
  { name, accountId, email, now }: { name: string; accountId: string; email: string; now: number },
): Promise<boolean> {
  const row = await db
    .insertInto('loginName')
    .values({ nameKey: nameKey(name), accountId, reservedFor: null, reservedUntil: 0 })
    .onConflict((conflict) =>
      conflict
        .column('nameKey')
        .doUpdateSet({ accountId, reservedFor: null, reservedUntil: 0 })
        .where((eb) =>
          eb.or([
            eb('loginName.accountId', '=', accountId),
            eb.and([
              eb('loginName.accountId', 'is', null),
              eb.or([eb('loginName.reservedUntil', '<=', now), eb('loginName.reservedFor', '=', nameKey(email))]),
            ]),
          ]),
        ),
    )
    .returning('nameKey')
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Creates an account and assigns its names. If the username was lost since it was reserved, appends digits: the person
 * has already paid. Returns null if the address belongs to another account.
 */
export async function createAccount(db: Db, account: NewAccount, now: number): Promise<Account | null> {
  const { id, username: wanted, email, passwordHash, firstName, lastName, createdAt } = account
  const existing = await findAccountByLogin(db, email)
  if (existing && existing.id !== id) return null
  // Columns that can be null start as null.
  const row: Insertable<AccountTable> = {
    id,
    username: wanted,
    email,
    emailKey: nameKey(email),
    passwordHash,
    firstName,
    lastName,
    tokenVersion: 1,
    isOfficer: account.isOfficer ? 1 : 0,
    createdAt,
    updatedAt: now,
  }
  const created = await db
    .insertInto('account')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!created) return findAccount(db, id)
  if (!(await assignLoginName(db, { name: email, accountId: id, email, now }))) {
    await db.deleteFrom('account').where('id', '=', id).execute()
    return null
  }
  let username = wanted
  for (let digits = 2; !(await assignLoginName(db, { name: username, accountId: id, email, now })); digits++) {
    username = `${wanted.slice(0, 26)}${digits}`
  }
  if (username !== wanted) await db.updateTable('account').set({ username }).where('id', '=', id).execute()
  return { ...created, username }
}

/** Locks the account's row until the transaction ends (PostgreSQL; on SQLite, transactions run one at a time). */
export async function lockAccount(db: Db, id: string): Promise<void> {
  await db
    .updateTable('account')
    .set({ id: sql`id` })
    .where('id', '=', id)
    .execute()
}

export async function setStripeCustomer(
  db: Db,
  id: string,
  stripeCustomerId: string | null,
  now: number,
): Promise<void> {
  await db.updateTable('account').set({ stripeCustomerId, updatedAt: now }).where('id', '=', id).execute()
}

/** Stores a new password and invalidates all older tokens (docs/product-rules.md#server-checks-of-a-token). */
export async function setPassword(db: Db, id: string, passwordHash: string, now: number): Promise<void> {
  await db
    .updateTable('account')
    .set((eb) => ({ passwordHash, tokenVersion: eb('tokenVersion', '+', 1), updatedAt: now }))
    .where('id', '=', id)
    .execute()
}

/** Invalidates all older tokens; returns the new token version. */
export async function incrementTokenVersion(db: Db, id: string, now: number): Promise<number> {
  const { tokenVersion: version } = await db
    .updateTable('account')
    .set((eb) => ({ tokenVersion: eb('tokenVersion', '+', 1), updatedAt: now }))
    .where('id', '=', id)
    .returning('tokenVersion')
    .executeTakeFirstOrThrow()
  return version
}

/** Blocks logins until the account is enabled again, and invalidates its tokens immediately. */
export async function disableAccount(db: Db, id: string, now: number): Promise<void> {
  await db
    .updateTable('account')
    .set((eb) => ({ deactivatedBy: 'officer', tokenVersion: eb('tokenVersion', '+', 1), updatedAt: now }))
    .where('id', '=', id)
    .execute()
}
