/** Roles, second factors and other tables of the console. */

import type { Role } from '#contract/access.ts'
import type { ApprovalAct } from '#contract/console/approvals.ts'
import type { BulkAction, BulkDetails } from '#contract/console/people/member-bulk.ts'
import type { NoteKind } from '#contract/console/people/member-notes.ts'
import type { JsonText } from './column-values.ts'

/** A role held for a term, first and last day inclusive. A term that ended early keeps its days and sets `ended_at`. */
export interface OfficerTermTable {
  id: string
  accountId: string
  role: Role
  startsOn: string
  endsOn: string
  /** An account id, or 'webmaster'. */
  givenBy: string
  createdAt: number
  endedAt: number | null
}

/** An authenticator app; at most one per account. */
export interface SecondFactorTable {
  accountId: string
  /** Encrypted with a separate key: reading the database is not enough to generate codes. */
  secret: string
  createdAt: number
  /** null until the first code is confirmed. */
  confirmedAt: number | null
  /** Time step of the last accepted code: no code is accepted twice (RFC 6238, 5.2). */
  lastStep: number
}

export interface RecoveryCodeTable {
  codeHash: string
  accountId: string
  createdAt: number
  usedAt: number | null
}

/** A passkey (WebAuthn); an account may have several. */
export interface PasskeyTable {
  id: string
  accountId: string
  /** Assigned by the device; unique across accounts. */
  credentialId: string
  /** COSE, in base64url. */
  publicKey: string
  /** Signature counter of the last accepted response; 0 for devices without a counter. */
  counter: number
  /** WebAuthn transports, separated by spaces. */
  transports: string
  name: string
  createdAt: number
  lastUsedAt: number | null
}

/** A pending WebAuthn challenge. Deleted by the first response, valid or not. */
export interface PasskeyChallengeTable {
  /** SHA-256. */
  challengeHash: string
  accountId: string
  /** Only this session may respond. */
  sessionId: string
  /** `first`, `add` or `prove`. */
  purpose: string
  expiresAt: number
}

/** When a session passed its second factor. */
export interface SessionProofTable {
  sessionId: string
  accountId: string
  provedAt: number
}

/** An officer views the site as a member, for a limited time; decision record 18. */
export interface MemberViewingTable {
  id: string
  officerId: string
  /** The officer's session: the viewing ends with it. */
  sessionId: string
  /** The viewed member. */
  accountId: string
  reason: string
  startedAt: number
  /** The latest possible end. */
  endsAt: number
  endedAt: number | null
}

/** A saved view of a list of the console: filters, order and columns as query parameters. */
export interface SavedViewTable {
  id: string
  /** The list, such as `members`. */
  list: string
  name: string
  query: string
  /** The account that saved it. */
  ownerId: string
  /** Whether all officers see it. */
  isShared: number
  createdAt: number
}

/** A note about a member, for officers; the member gets it with a download of the personal data. */
export interface MemberNoteTable {
  id: string
  accountId: string
  kind: NoteKind
  text: string
  /** Account id of the officer. */
  writtenBy: string
  writtenAt: number
  editedAt: number | null
  /** Hidden since then, and deleted a day later. */
  deletedAt: number | null
  /** The bulk action that added it; null for a single note. */
  runId: string | null
  /** Incremented by every change. */
  version: number
}

/** One action on many members, run in the background. Deleted after 30 days. */
export interface BulkRunTable {
  id: string
  action: BulkAction
  details: JsonText<BulkDetails>
  officerId: string
  state: 'running' | 'done' | 'undone'
  createdAt: number
  finishedAt: number | null
}

/** One member of such an action. */
export interface BulkItemTable {
  runId: string
  accountId: string
  state: 'waiting' | 'done' | 'skipped' | 'undone'
  /** Why it was skipped, as a sentence. */
  reason: string | null
}

/** An action that one officer requests and another approves; decision record 28. */
export interface ApprovalTable {
  id: string
  act: ApprovalAct
  /** The affected account. */
  subjectId: string
  /** The details of the request. */
  payload: JsonText<Record<string, string>>
  reason: string
  /** Account id of the requesting officer. */
  askedBy: string
  askedAt: number
  expiresAt: number
  state: 'waiting' | 'approved' | 'declined' | 'withdrawn' | 'expired'
  /** Action and subject while waiting, else null: unique, so the same request cannot be open twice. */
  openKey: string | null
  decidedBy: string | null
  decidedAt: number | null
  /** The reason for declining. */
  note: string | null
}
