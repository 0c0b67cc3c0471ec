/** Who may do what in the console, and how they prove who they are (issue 8). */

/** A role held for a term; both days belong to it. A term that was ended early keeps its days and says when. */
export interface OfficerTermTable {
  id: string
  account_id: string
  role: string
  starts_on: string
  ends_on: string
  /** An account's id, or 'webmaster'. */
  given_by: string
  created_at: number
  ended_at: number | null
}

/** An authenticator app. One an account. */
export interface SecondFactorTable {
  account_id: string
  /** Encrypted with a key of its own: whoever reads the database alone can make no codes. */
  secret: string
  created_at: number
  /** null until the first code was confirmed. */
  confirmed_at: number | null
  /** The time step of the newest code that was taken: none is taken twice (RFC 6238, 5.2). */
  last_step: number
}

export interface RecoveryCodeTable {
  code_hash: string
  account_id: string
  created_at: number
  used_at: number | null
}

/** When a session gave its second factor. */
export interface SessionProofTable {
  session_id: string
  account_id: string
  proved_at: number
}

/** An officer sees the site as a member does, for a while; decision record 18. */
export interface MemberViewingTable {
  id: string
  officer_id: string
  /** The officer's session: when it ends, so does this. */
  session_id: string
  /** The member's. */
  account_id: string
  reason: string
  started_at: number
  /** At the latest. */
  ends_at: number
  ended_at: number | null
}

/** A choice of members an officer comes back to: filters and order as they stand in the address. */
export interface ConsoleViewTable {
  id: string
  account_id: string
  name: string
  query: string
  created_at: number
}
