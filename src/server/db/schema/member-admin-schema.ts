import type { ImportColumn } from '#contract/console/import.ts'
import type { CredentialState, MemberRenewal, MemberState } from '#contract/console/member-list.ts'
import type { EarlierName } from '#contract/console/people/earlier-levels.ts'
import type { ImportSystem } from '#contract/console/people/import-systems.ts'
import type { RowChange } from '#server/features/accounts/row-change.queries.ts'
import type { CellChange } from '#server/features/member-admin/import/member-import.rules.ts'
import type { MemberCells, RowError } from '#server/features/member-admin/import/member-rows.rules.ts'
import type { JsonText } from './column-values.ts'

/** The tables with which officers list, search, import and merge members; conventions as in `schema.ts`. */
export interface MemberAdminTables {
  memberImport: MemberImportTable
  accountSearch: AccountSearchTable
  listedMember: ListedMemberTable
  hashedAddress: HashedAddressTable
  importFile: ImportFileTable
  importRow: ImportRowTable
  importHeading: ImportHeadingTable
  accountMerge: AccountMergeTable
}

/** Which import created an account, so that a batch can be undone. */
export interface MemberImportTable {
  accountId: string
  batch: string
  importedAt: number
}

/** Normalized text for the console's member search, one for each account. Triggers set it to null when the name, address or username changes; the next search writes it again. */
export interface AccountSearchTable {
  accountId: string
  words: string | null
}

/**
 * The hash of each account's address as the suppression list has it, so that addresses to which nothing may be sent are found by an index. Triggers set it to
 * null when the address changes; `refreshHashedAddresses` writes it again.
 */
export interface HashedAddressTable {
  accountId: string
  emailHash: string | null
  /** Of the key that it was hashed with: a new `SESSION_SECRET` makes all of them out of date. */
  keyCheck: string
}

/**
 * What the list of members shows of each account, so that it can be filtered, sorted and counted. Triggers add a row with each account and make it out of
 * date with each change of what it shows; `refreshListedMembers` works it out again. Holds nothing that is not stored elsewhere.
 */
export interface ListedMemberTable {
  accountId: string
  /** From then on something may differ, because of the clock; 0: something has changed. */
  holdsUntil: number
  /** The grace period with which it was worked out; null where it does not matter. */
  graceMs: number | null
  state: MemberState
  levelKey: string | null
  startedAt: number | null
  /** As returned by `runsUntil`. */
  runsUntil: number | null
  /** 1 if the membership ended before its time. */
  isEnded: number
  renewal: MemberRenewal | null
  /** What each renewal charges, in cents; null for the price of the level. */
  renewalAmount: number | null
  /** The newest credentials, and their state. */
  credentialId: string | null
  credentials: CredentialState
  /** When they were approved or last confirmed, and the end of the training that they are about. */
  credentialsCountedFrom: number | null
  credentialsEndOn: string | null
  /** When their owner was last asked about them; null if the answer has come. */
  credentialsAskedAt: number | null
  lastPaidAt: number | null
  joinedAt: number
  /** In lower case, as the list is sorted. */
  lastName: string
  firstName: string
}

/** A CSV file of members chosen by an officer. `checked`: validated but not imported. Deleted after 30 days. */
export interface ImportFileTable {
  id: string
  filename: string
  /** Account id of the officer who chose it. */
  officerId: string
  /** The first row of the file. */
  headings: JsonText<string[]>
  /** Which of our columns each heading fills, as an officer chose; null: as recognized by the names. */
  columns: JsonText<(ImportColumn | null)[]> | null
  /** The first day of the rows if no column fills it; null in files that were checked by earlier releases. */
  startsOn: string | null
  /** Whose export it is; null for another system. */
  system: ImportSystem | null
  /** Names of levels in the file, and the levels they are; null in files that were checked by earlier releases. */
  levelNames: JsonText<EarlierName[]> | null
  /** `reading`: rows are being stored. */
  state: 'reading' | 'checked' | 'running' | 'done'
  sendsInvitations: number
  createdAt: number
  confirmedAt: number | null
  confirmedBy: string | null
  finishedAt: number | null
  undoBegunAt: number | null
  undoneAt: number | null
  undoneBy: string | null
}

/** Which column an officer last chose for a heading; the next file with this heading begins with it. */
export interface ImportHeadingTable {
  /** Normalized. */
  heading: string
  /** null: ignored. */
  columnName: ImportColumn | null
  chosenAt: number
}

/** One row of such a file. After the import only its verdict is kept. */
export interface ImportRowTable {
  fileId: string
  line: number
  verdict: 'new' | 'changed' | 'unchanged' | 'left-out' | 'wrong'
  /** The cells as in the file; empty once they are no longer needed. */
  original: JsonText<string[]>
  /** The normalized cells by column; null once they are no longer needed. */
  cells: JsonText<MemberCells | null>
  /** Changes to an existing member. */
  changes: JsonText<CellChange[]>
  /** The faults, and how to fix them. */
  faults: JsonText<RowError[]>
  doneAt: number | null
}

/** A merge of two accounts of one person. The changed values are kept as long as the merge can be undone. */
export interface AccountMergeTable {
  id: string
  keptId: string
  mergedId: string
  /** Account id of the officer. */
  officerId: string
  reason: string
  mergedAt: number
  /** Values before and after, by column; empty once the merge can no longer be undone. */
  changes: JsonText<RowChange[]>
  undoneAt: number | null
  undoneBy: string | null
  /** The password and second factor of the surviving account before the merge; null for merges by older releases. */
  keptLogin: string | null
}
