/** Roles, second factors and other tables of the console. */

/** A role held for a term, first and last day inclusive. A term that ended early keeps its days and sets `ended_at`. */
export interface OfficerTermTable {
  id: string
  account_id: string
  role: string
  starts_on: string
  ends_on: string
  /** An account id, or 'webmaster'. */
  given_by: string
  created_at: number
  ended_at: number | null
}

/** An authenticator app; at most one per account. */
export interface SecondFactorTable {
  account_id: string
  /** Encrypted with a separate key: reading the database is not enough to generate codes. */
  secret: string
  created_at: number
  /** null until the first code is confirmed. */
  confirmed_at: number | null
  /** Time step of the last accepted code: no code is accepted twice (RFC 6238, 5.2). */
  last_step: number
}

export interface RecoveryCodeTable {
  code_hash: string
  account_id: string
  created_at: number
  used_at: number | null
}

/** A passkey (WebAuthn); an account may have several. */
export interface PasskeyTable {
  id: string
  account_id: string
  /** Assigned by the device; unique across accounts. */
  credential_id: string
  /** COSE, in base64url. */
  public_key: string
  /** Signature counter of the last accepted response; 0 for devices without a counter. */
  counter: number
  /** WebAuthn transports, separated by spaces. */
  transports: string
  name: string
  created_at: number
  last_used_at: number | null
}

/** A pending WebAuthn challenge. Deleted by the first response, valid or not. */
export interface PasskeyChallengeTable {
  /** SHA-256. */
  challenge_hash: string
  account_id: string
  /** Only this session may respond. */
  session_id: string
  /** `first`, `add` or `prove`. */
  purpose: string
  expires_at: number
}

/** When a session passed its second factor. */
export interface SessionProofTable {
  session_id: string
  account_id: string
  proved_at: number
}

/** An officer views the site as a member, for a limited time; decision record 18. */
export interface MemberViewingTable {
  id: string
  officer_id: string
  /** The officer's session: the viewing ends with it. */
  session_id: string
  /** The viewed member. */
  account_id: string
  reason: string
  started_at: number
  /** The latest possible end. */
  ends_at: number
  ended_at: number | null
}

/** A saved view of the member list: filters and sort order as query parameters. */
export interface ConsoleViewTable {
  id: string
  account_id: string
  name: string
  query: string
  created_at: number
}

/** An action that one officer requests and another approves; decision record 28. */
export interface ApprovalTable {
  id: string
  /** The action, such as `member.end`. */
  act: string
  /** The affected account. */
  subject_id: string
  /** JSON: the details of the request. */
  payload: string
  reason: string
  /** Account id of the requesting officer. */
  asked_by: string
  asked_at: number
  expires_at: number
  state: 'waiting' | 'approved' | 'declined' | 'withdrawn' | 'expired'
  /** Action and subject while waiting, else null: unique, so the same request cannot be open twice. */
  open_key: string | null
  decided_by: string | null
  decided_at: number | null
  /** The reason for declining. */
  note: string | null
}
