import type { StoredRunItem } from '#server/features/sponsors/run-of-show.repository.ts'
import type { JsonText } from './column-values.ts'

/** Contact messages and replies; and the order of sponsors' remarks on a day. */

export interface ContactMessageTable {
  id: string
  name: string
  email: string
  subject: string
  message: string
  receivedAt: number
  answeredAt: number | null
  /** An officer's account. */
  assignedTo: string | null
  /** Marked as spam: removed from the inbox, never answered, and deleted after a while. */
  spamAt: number | null
  /** Incremented by every change an officer makes. */
  version: number
}

export interface MessageAnswerTable {
  id: string
  messageId: string
  text: string
  /** An officer's account. */
  sentBy: string
  sentAt: number
  /** When a mail server accepted it. */
  mailedAt: number | null
}

/** A note for the other officers; the sender never sees it. */
export interface MessageNoteTable {
  id: string
  messageId: string
  text: string
  /** An officer's account. */
  writtenBy: string
  writtenAt: number
}

/** A text template for replies. */
export interface MessageTemplateTable {
  id: string
  name: string
  text: string
  version: number
  updatedAt: number
}

export interface RunOfShowTable {
  day: string
  /** `HH:MM` in the association's time zone. */
  startsAt: string
  /** In order: sponsorship ids or texts, each with minutes. */
  items: JsonText<StoredRunItem[]>
  version: number
  updatedAt: number
}
