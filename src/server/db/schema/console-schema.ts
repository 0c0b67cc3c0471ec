/** Who may do what in the console, and how they prove who they are. */

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

/** A passkey (WebAuthn). Several an account. */
export interface PasskeyTable {
  id: string
  account_id: string
  /** As the device calls it; no two accounts have the same. */
  credential_id: string
  /** COSE, in base64url. It only verifies: whoever reads the database can answer nothing by it. */
  public_key: string
  /** What the device counted at its newest answer that was accepted; devices that do not count stay at 0. */
  counter: number
  /** How the device is reached, in words of WebAuthn, one space between. */
  transports: string
  name: string
  created_at: number
  last_used_at: number | null
}

/** A question to a passkey that waits for its answer. Taken away by the first that comes, right or wrong. */
export interface PasskeyChallengeTable {
  /** SHA-256. */
  challenge_hash: string
  account_id: string
  /** Only this session may answer. */
  session_id: string
  /** `first`, `add` or `prove`. */
  purpose: string
  expires_at: number
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

/** What one officer asks for and a second one approves; decision record 28. */
export interface ApprovalTable {
  id: string
  /** Which act, such as `member.end`. */
  act: string
  /** The account it is about. */
  subject_id: string
  /** JSON: what exactly is asked for. */
  payload: string
  reason: string
  /** The account of the officer who asked. */
  asked_by: string
  asked_at: number
  expires_at: number
  state: 'waiting' | 'approved' | 'declined' | 'withdrawn' | 'expired'
  /** Act and subject while it waits, else null: unique, so the same is asked for once. */
  open_key: string | null
  decided_by: string | null
  decided_at: number | null
  /** Why it was declined. */
  note: string | null
}
