import type { RecordValue } from '#contract/member-record/record-values.ts'
import type { JsonText } from './column-values.ts'

/** The tables of the directory of members (decision record 58); conventions as in `schema.ts`. */

/** What a member chose about the directory; no row: not listed. Whether the entry is shown also depends on the account, the membership and the credentials. */
export interface DirectoryListingTable {
  /** In the address of the entry. */
  id: string
  accountId: string
  inMembers: number
  inPublic: number
  /** Whether other members may send messages. */
  takesMessages: number
  /** Last and first name, lower case without accents. */
  sortName: string
  updatedAt: number
}

/** A word of a listed person: of the name, or of a value that members may see. Only narrows a search: what is shown is decided by the values themselves. */
export interface DirectoryWordTable {
  /** Lower case without accents; a whole value of a filter begins with '='. */
  word: string
  accountId: string
  /** '' for the name. */
  fieldKey: string
}

/** Beginnings and simplified spellings of the words in use. */
export interface DirectorySpellingTable {
  spelling: string
  word: string
}

/** A message from one member to another. Deleted after 30 days. */
export interface DirectoryMessageTable {
  id: string
  fromAccountId: string
  toAccountId: string
  subject: string
  text: string
  /** Whether the recipient gets the sender's address to reply to. */
  showsAddress: number
  sentAt: number
  reportedAt: number | null
}

/** An invented person whom the directory for members shows among the members, so that a copy of it is recognized. Never changed: a copy shows it as it was. */
export interface PlantedEntryTable {
  /** In the address of the entry, as of a listing. */
  id: string
  firstName: string
  lastName: string
  /** As of a listing. */
  sortName: string
  /** The same, so that one name is shown once; null once it is removed. */
  nameKey: string | null
  /** Values by the key of their member field. */
  record: JsonText<Record<string, RecordValue>>
  addedAt: number
  addedBy: string
  /** null: it is shown. */
  removedAt: number | null
  removedBy: string | null
}
