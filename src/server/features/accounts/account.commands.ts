import { sql } from 'kysely'
import type { User } from '#contract/fields.ts'
import type { Db } from '#server/db/database.ts'
import { inBatches } from '#server/db/in-batches.ts'
import type { AccountTable } from '#server/db/account-schema.ts'

export interface Account {
  id: string
  username: string
  email: string
  passwordHash: string
  firstName: string
  lastName: string
  tokenVersion: number
  /** null: active. */
  deactivatedBy: 'self' | 'officer' | null
  stripeCustomerId: string | null
  createdAt: number
}

/** How usernames and addresses are compared: without regard to case. Both are ASCII by contract. */
export function nameKey(name: string): string {
  return name.trim().toLowerCase()
}

export async function findAccount(db: Db, id: string): Promise<Account | null> {
  const row = await db.selectFrom('account').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? toAccount(row) : null
}

/** Of each account that is still there, how to call and reach its owner. */
export async function findPeople(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, { name: string; email: string }>> {
  const rows = await inBatches([...new Set(ids)], (some) =>
    db.selectFrom('account').select(['id', 'first_name', 'last_name', 'email']).where('id', 'in', some).execute(),
  )
  return new Map(rows.map((row) => [row.id, { name: `${row.first_name} ${row.last_name}`, email: row.email }]))
}

/** By username or e-mail address. Accounts deactivated by their owner have given their names back and are not found. */
export async function findAccountByName(db: Db, name: string): Promise<Account | null> {
  const row = await db
    .selectFrom('login_name')
    .innerJoin('account', 'account.id', 'login_name.account_id')
    .selectAll('account')
    .where('login_name.name_key', '=', nameKey(name))
    .executeTakeFirst()
  return row ? toAccount(row) : null
}

/** The account whose address this is; a username of the same shape does not count. */
export async function findAccountByEmail(db: Db, email: string): Promise<Account | null> {
  const account = await findAccountByName(db, email)
  return account && nameKey(account.email) === nameKey(email) ? account : null
}

/**
 * Reserves a username for an address until an instant. False when it belongs to an account or is reserved for another address. One statement, so of
 * two that ask at once one gets it.
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

/** Keeps a username for the address it is reserved for until a later instant; does nothing when another address has it by now. */
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

/** Removes names that nobody took, and with them the address they were kept for. */
export async function forgetEndedReservations(db: Db, before: number): Promise<void> {
  await db.deleteFrom('login_name').where('account_id', 'is', null).where('reserved_until', '<', before).execute()
}

/** Gives an account a name. False when another has it, or it is reserved for another address. */
export async function takeName(
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

export interface NewAccount {
  id: string
  username: string
  email: string
  passwordHash: string
  firstName: string
  lastName: string
  isOfficer?: boolean
  createdAt: number
}

/**
 * Creates an account and takes its names. When the username was lost to someone else since it was reserved, digits are added rather than failing a
 * person who paid. Returns null when the address already belongs to an account.
 */
export async function createAccount(db: Db, account: NewAccount, now: number): Promise<Account | null> {
  const { id, email } = account
  const holder = await findAccountByName(db, email)
  if (holder && holder.id !== id) return null
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
  if (!(await takeName(db, { name: email, accountId: id, email, now }))) {
    await db.deleteFrom('account').where('id', '=', id).execute()
    return null
  }
  let username = account.username
  for (let digits = 2; !(await takeName(db, { name: username, accountId: id, email, now })); digits++) {
    username = `${account.username.slice(0, 26)}${digits}`
  }
  if (username !== account.username) await db.updateTable('account').set({ username }).where('id', '=', id).execute()
  return toAccount({ ...row, username })
}

/** Takes the row's lock until the transaction ends (PostgreSQL; on SQLite a transaction is alone anyway). */
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

/** Stores a new password and makes every older token invalid (docs/product-rules.md#server-checks-of-a-token). */
export async function setPassword(db: Db, id: string, passwordHash: string, now: number): Promise<void> {
  await db
    .updateTable('account')
    .set((eb) => ({ password_hash: passwordHash, token_version: eb('token_version', '+', 1), updated_at: now }))
    .where('id', '=', id)
    .execute()
}

/** Makes every older token invalid and returns the version that holds now. */
export async function raiseTokenVersion(db: Db, id: string, now: number): Promise<number> {
  const { token_version: version } = await db
    .updateTable('account')
    .set((eb) => ({ token_version: eb('token_version', '+', 1), updated_at: now }))
    .where('id', '=', id)
    .returning('token_version')
    .executeTakeFirstOrThrow()
  return version
}

export function toUser({
  id,
  username,
  email,
  firstName,
  lastName,
}: Omit<NewAccount, 'passwordHash' | 'createdAt'>): User {
  return { _id: id, username, email, name: { first: firstName, last: lastName } }
}

function toAccount(row: AccountTable): Account {
  return {
    id: row.id,
    username: row.username,
    email: row.email,
    passwordHash: row.password_hash,
    firstName: row.first_name,
    lastName: row.last_name,
    tokenVersion: row.token_version,
    deactivatedBy: row.deactivated_by,
    stripeCustomerId: row.stripe_customer_id,
    createdAt: row.created_at,
  }
}
