import type { Generated } from 'kysely'
import type { RecordAudience } from '#contract/member-record/record-fields.ts'
import type { RecordValue } from '#contract/member-record/record-values.ts'
import type { JsonText } from './column-values.ts'

export interface AccountTable {
  /** The same as its registration's id, so that payments started before the account existed can be matched. */
  id: string
  username: string
  email: string
  /** Lower case, used for comparisons. Uniqueness is enforced by `login_name`. */
  emailKey: string
  passwordHash: string
  firstName: string
  lastName: string
  /** Incremented to invalidate all older tokens (docs/product-rules.md#server-checks-of-a-token). */
  tokenVersion: number
  /**
   * null: active. Who deactivated the account determines whether the address may register again (docs/product-rules.md#usernames). `deceased`: officers
   * recorded that the person died.
   */
  deactivatedBy: 'self' | 'officer' | 'deceased' | null
  isOfficer: number
  stripeCustomerId: string | null
  createdAt: number
  updatedAt: number
}

/**
 * Usernames and email addresses share one namespace (docs/product-rules.md#usernames): a name belongs to an account or is reserved for a registering address.
 * An account deactivated by its owner releases its names.
 */
export interface LoginNameTable {
  nameKey: string
  accountId: string | null
  reservedFor: string | null
  reservedUntil: number
}

/** A login name of an account its owner deleted, so that logging in with the old password reports an inactive account. Deleted after 30 days. */
export interface DepartedLoginTable {
  /** Keyed hash: the name cannot be recovered. */
  nameHash: string
  accountId: string
  /** Argon2id, copied from the account. */
  passwordHash: string
  leftAt: number
}

/** A member's value of a field that the association defines (decision record 54). */
export interface RecordValueTable {
  id: string
  accountId: string
  /** The key of a field in the content record `record-fields`. */
  fieldKey: string
  value: JsonText<RecordValue>
  /** Who sees it besides its owner. */
  audience: RecordAudience
  changedAt: number
  /** 'owner', 'import', or the account id of an officer. */
  changedBy: string
  /** The day on which its owner last entered or confirmed it; null: never. */
  confirmedOn: string | null
}

/** The membership card of an account that has opened it (decision record 61). */
export interface MemberCardTable {
  accountId: string
  /** The member's number, in the order in which cards were first opened. */
  number: number
  /** The code is derived from this id, so that the page can show it again; a new code has a new id. */
  codeId: string
  /** SHA-256 of the code. */
  codeHash: string
  madeAt: number
  /** When an officer revoked the code; null: it works. */
  revokedAt: number | null
}

/** What someone entered in the member record while joining. */
export interface JoiningRecord {
  /** By the key of their field. */
  values: Record<string, RecordValue>
  /** The day of the registration. */
  confirmedOn: string
}

/** A requested change of an account's email address; takes effect once the link in the email is used. */
export interface EmailChangeTable {
  accountId: string
  email: string
  askedAt: number
  /** Account id of the requesting officer, or 'webmaster'; null: the owner. */
  askedBy: string | null
  /** The approving second officer, if the account had a role. */
  approvedBy: string | null
  reason: string | null
}

/**
 * A deletion in progress (docs/product-rules.md#deleting-an-account): exists while the card provider is called, and after a crash until the worker completes
 * it.
 */
export interface AccountDeletionTable {
  /** Also the idempotency key for the provider. */
  id: string
  accountId: string
  askedAt: number
  ending: Generated<'self' | 'request' | 'deceased'>
  /** Account id of the requesting officer, or 'webmaster'; null: the owner. */
  askedBy: string | null
  /** The approving second officer, if the account had a role. */
  approvedBy: string | null
  reason: string | null
}

/** An account ended by officers. The account row is kept for accounting. */
export interface AccountEndTable {
  accountId: string
  ending: 'request' | 'deceased'
  /** Account id of the officer, or 'webmaster'. */
  endedBy: string
  endedAt: number
}
