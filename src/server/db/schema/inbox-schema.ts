/** What people write to the association and what is answered; and how sponsors' remarks follow each other on a day. */

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
  /** Off the list, never answered, and kept for a while only. */
  spam_at: number | null
  /** Raised by every change an officer makes. */
  version: number
}

export interface MessageAnswerTable {
  id: string
  message_id: string
  text: string
  /** An officer's account. */
  sent_by: string
  sent_at: number
  /** When a mail server took it. */
  mailed_at: number | null
}

/** Words for answers that are written often. */
export interface MessageTemplateTable {
  id: string
  name: string
  text: string
  version: number
  updated_at: number
}

export interface RunOfShowTable {
  day: string
  /** `HH:MM` of the association's clock. */
  starts_at: string
  /** JSON, in their order: a sponsorship's id, or words of the officers; with minutes. */
  items: string
  version: number
  updated_at: number
}
