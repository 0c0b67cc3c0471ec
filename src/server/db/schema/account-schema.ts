import type { Generated } from 'kysely'

export interface AccountTable {
  /** The id its registration had: payments begun before the account existed find it. */
  id: string
  username: string
  email: string
  /** Lower case; how addresses are compared. Not unique here: `login_name` is. */
  email_key: string
  password_hash: string
  first_name: string
  last_name: string
  /** Raised to make every older token invalid (docs/product-rules.md#server-checks-of-a-token). */
  token_version: number
  /** null: active. Who deactivated it decides whether the address may register again (docs/product-rules.md#usernames). */
  deactivated_by: 'self' | 'officer' | null
  is_officer: number
  stripe_customer_id: string | null
  created_at: number
  updated_at: number
}

/**
 * Usernames and e-mail addresses share one namespace (docs/product-rules.md#usernames): a name belongs to an account, or is reserved for an address that registered.
 * An account deactivated by its owner gives its names back.
 */
export interface LoginNameTable {
  name_key: string
  account_id: string | null
  reserved_for: string | null
  reserved_until: number
}

/** A name of an account that its owner deleted, so that log-in with its password can say that it is not active. Forgotten after 30 days. */
export interface DepartedLoginTable {
  /** Keyed: the name cannot be read from it. */
  name_hash: string
  account_id: string
  /** Argon2id, as the account had it. */
  password_hash: string
  left_at: number
}

/** The address an account asked to move to; it counts once the letter's link was used. */
export interface EmailChangeTable {
  account_id: string
  email: string
  asked_at: number
  /** The account of the officer who asked for it, or 'webmaster'; null: its owner did. */
  asked_by: string | null
  /** The second officer, where the account held a role. */
  approved_by: string | null
  reason: string | null
}

/** An intent to delete (docs/product-rules.md#deleting-an-account): there while the card provider is asked, and after a crash until the worker has finished it. */
export interface AccountDeletionTable {
  /** Also the provider's idempotency key. */
  id: string
  account_id: string
  asked_at: number
  ending: Generated<'self' | 'request' | 'deceased'>
  /** The account of the officer who asked for it, or 'webmaster'; null: its owner did. */
  asked_by: string | null
  /** The second officer, where the account held a role. */
  approved_by: string | null
  reason: string | null
}

/** An account that officers ended. Its row stays, as the books require. */
export interface AccountEndTable {
  account_id: string
  ending: 'request' | 'deceased'
  /** The account of the officer, or 'webmaster'. */
  ended_by: string
  ended_at: number
}
