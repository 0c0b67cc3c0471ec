import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import type { AccountTable } from '#server/db/schema/account-schema.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'
import { type Account, type NewAccount, findAccount, findAccountByLogin, toAccount } from './account.queries.ts'

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
    .insertInto('login_name')
    .values({ name_key: nameKey(username), account_id: null, reserved_for: reservedFor, reserved_until: until })
    .onConflict((conflict) =>
      conflict
        .column('name_key')
        .doUpdateSet({ reserved_for: reservedFor, reserved_until: until })
        .where('login_name.account_id', 'is', null)
        .where((eb) =>
          eb.or([eb('login_name.reserved_until', '<=', now), eb('login_name.reserved_for', '=', reservedFor)]),
        ),
    )
    .returning('name_key')
    .executeTakeFirst()
  return row !== undefined
}

/** Extends a reservation; no-op if the username is now held for another address. */
export async function extendReservation(
  db: Db,
  { username, email, until }: { username: string; email: string; until: number },
): Promise<void> {
  await db
    .updateTable('login_name')
    .set({ reserved_until: until })
    .where('name_key', '=', nameKey(username))
    .where('account_id', 'is', null)
    .where('reserved_for', '=', nameKey(email))
    .where('reserved_until', '<', until)
    .execute()
}

/** Deletes expired reservations, and with them the addresses they were held for. */
export async function deleteExpiredReservations(db: Db, before: number): Promise<void> {
  await db.deleteFrom('login_name').where('account_id', 'is', null).where('reserved_until', '<', before).execute()
}

/** Assigns a name to an account. Returns false if another account has it or it is reserved for another address. */
export async function assignLoginName(
  db: Db,
  { name, accountId, email, now }: { name: string; accountId: string; email: string; now: number },
): Promise<boolean> {
  const row = await db
    .insertInto('login_name')
    .values({ name_key: nameKey(name), account_id: accountId, reserved_for: null, reserved_until: 0 })
    .onConflict((conflict) =>
      conflict
        .column('name_key')
        .doUpdateSet({ account_id: accountId, reserved_for: null, reserved_until: 0 })
        .where((eb) =>
          eb.or([
            eb('login_name.account_id', '=', accountId),
            eb.and([
              eb('login_name.account_id', 'is', null),
              eb.or([eb('login_name.reserved_until', '<=', now), eb('login_name.reserved_for', '=', nameKey(email))]),
            ]),
          ]),
        ),
    )
    .returning('name_key')
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Creates an account and assigns its names. If the username was lost since it was reserved, appends digits: the person
 * has already paid. Returns null if the address belongs to another account.
 */
export async function createAccount(db: Db, account: NewAccount, now: number): Promise<Account | null> {
  const { id, email } = account
  const existing = await findAccountByLogin(db, email)
  if (existing && existing.id !== id) return null
  const row: AccountTable = {
    id,
    username: account.username,
    email,
    email_key: nameKey(email),
    password_hash: account.passwordHash,
    first_name: account.firstName,
    last_name: account.lastName,
    token_version: 1,
    deactivated_by: null,
    is_officer: account.isOfficer ? 1 : 0,
    stripe_customer_id: null,
    created_at: account.createdAt,
    updated_at: now,
  }
  const created = await db
    .insertInto('account')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!created) return findAccount(db, id)
  if (!(await assignLoginName(db, { name: email, accountId: id, email, now }))) {
    await db.deleteFrom('account').where('id', '=', id).execute()
    return null
  }
  let username = account.username
  for (let digits = 2; !(await assignLoginName(db, { name: username, accountId: id, email, now })); digits++) {
    username = `${account.username.slice(0, 26)}${digits}`
  }
  if (username !== account.username) await db.updateTable('account').set({ username }).where('id', '=', id).execute()
  return toAccount({ ...row, username })
}

/** Locks the account's row until the transaction ends (PostgreSQL; on SQLite, transactions run one at a time). */
export async function lockAccount(db: Db, id: string): Promise<void> {
  await db
    .updateTable('account')
    .set({ id: sql`id` })
    .where('id', '=', id)
    .execute()
}

export async function setStripeCustomer(db: Db, id: string, stripeCustomerId: string, now: number): Promise<void> {
  await db
    .updateTable('account')
    .set({ stripe_customer_id: stripeCustomerId, updated_at: now })
    .where('id', '=', id)
    .execute()
}

/** Stores a new password and invalidates all older tokens (docs/product-rules.md#server-checks-of-a-token). */
export async function setPassword(db: Db, id: string, passwordHash: string, now: number): Promise<void> {
  await db
    .updateTable('account')
    .set((eb) => ({ password_hash: passwordHash, token_version: eb('token_version', '+', 1), updated_at: now }))
    .where('id', '=', id)
    .execute()
}

/** Invalidates all older tokens; returns the new token version. */
export async function incrementTokenVersion(db: Db, id: string, now: number): Promise<number> {
  const { token_version: version } = await db
    .updateTable('account')
    .set((eb) => ({ token_version: eb('token_version', '+', 1), updated_at: now }))
    .where('id', '=', id)
    .returning('token_version')
    .executeTakeFirstOrThrow()
  return version
}
