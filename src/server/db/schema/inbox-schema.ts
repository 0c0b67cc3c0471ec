/** Contact messages and replies; and the order of sponsors' remarks on a day. */

export interface ContactMessageTable {
  id: string
  name: string
  email: string
  subject: string
  message: string
  received_at: number
  answered_at: number | null
  /** An officer's account. */
  assigned_to: string | null
  /** Marked as spam: removed from the inbox, never answered, and deleted after a while. */
  spam_at: number | null
  /** Incremented by every change an officer makes. */
  version: number
}

export interface MessageAnswerTable {
  id: string
  message_id: string
  text: string
  /** An officer's account. */
  sent_by: string
  sent_at: number
  /** When a mail server accepted it. */
  mailed_at: number | null
}

/** A text template for replies. */
export interface MessageTemplateTable {
  id: string
  name: string
  text: string
  version: number
  updated_at: number
}

export interface RunOfShowTable {
  day: string
  /** `HH:MM` in the association's time zone. */
  starts_at: string
  /** JSON, in order: sponsorship ids or texts, each with minutes. */
  items: string
  version: number
  updated_at: number
}
