import type { Generated } from 'kysely'

export interface AccountTable {
  /** The same as its registration's id, so that payments started before the account existed can be matched. */
  id: string
  username: string
  email: string
  /** Lower case, used for comparisons. Uniqueness is enforced by `login_name`. */
  email_key: string
  password_hash: string
  first_name: string
  last_name: string
  /** Incremented to invalidate all older tokens (docs/product-rules.md#server-checks-of-a-token). */
  token_version: number
  /** null: active. Who deactivated the account determines whether the address may register again (docs/product-rules.md#usernames). */
  deactivated_by: 'self' | 'officer' | null
  is_officer: number
  stripe_customer_id: string | null
  created_at: number
  updated_at: number
}

/**
 * Usernames and email addresses share one namespace (docs/product-rules.md#usernames): a name belongs to an account or is reserved for a registering address.
 * An account deactivated by its owner releases its names.
 */
export interface LoginNameTable {
  name_key: string
  account_id: string | null
  reserved_for: string | null
  reserved_until: number
}

/** A login name of an account its owner deleted, so that logging in with the old password reports an inactive account. Deleted after 30 days. */
export interface DepartedLoginTable {
  /** Keyed hash: the name cannot be recovered. */
  name_hash: string
  account_id: string
  /** Argon2id, copied from the account. */
  password_hash: string
  left_at: number
}

/** A requested change of an account's email address; takes effect once the link in the email is used. */
export interface EmailChangeTable {
  account_id: string
  email: string
  asked_at: number
  /** Account id of the requesting officer, or 'webmaster'; null: the owner. */
  asked_by: string | null
  /** The approving second officer, if the account had a role. */
  approved_by: string | null
  reason: string | null
}

/**
 * A deletion in progress (docs/product-rules.md#deleting-an-account): exists while the card provider is called, and after a crash until the worker completes
 * it.
 */
export interface AccountDeletionTable {
  /** Also the idempotency key for the provider. */
  id: string
  account_id: string
  asked_at: number
  ending: Generated<'self' | 'request' | 'deceased'>
  /** Account id of the requesting officer, or 'webmaster'; null: the owner. */
  asked_by: string | null
  /** The approving second officer, if the account had a role. */
  approved_by: string | null
  reason: string | null
}

/** An account ended by officers. The account row is kept for accounting. */
export interface AccountEndTable {
  account_id: string
  ending: 'request' | 'deceased'
  /** Account id of the officer, or 'webmaster'. */
  ended_by: string
  ended_at: number
}
