/** Subscribers, newsletters, and the delivery of each copy. */
export interface SubscriberTable {
  id: string
  email: string
  email_key: string
  /** `bounced` and `complained` are suppressed, as is `left`. */
  state: 'pending' | 'subscribed' | 'left' | 'bounced' | 'complained'
  source: string
  asked_at: number
  confirmed_at: number | null
  left_at: number | null
  /** Set for an imported address: the association states the consent, and `confirmed_at` is null until the owner confirms too. */
  imported_at: number | null
  /** The day an imported subscriber consented, `YYYY-MM-DD`, and where or how; null when the list did not say. */
  consent_on: string | null
  consent_source: string | null
  /** Permanent and temporary bounces since the address was confirmed. */
  hard_bounces: number
  soft_bounces: number
}

export interface SuppressionTable {
  email_hash: string
  reason: string
  created_at: number
}

/** A newsletter. Listed in the archive from `sent_at` on. */
export interface CampaignTable {
  id: string
  /** The title in the archive. */
  name: string
  subject: string
  /** `paper`: text on the association's template; `own`: a complete custom design. */
  layout: 'paper' | 'own'
  /** Sanitized, with links to this site as paths. */
  html: string
  text: string
  /** A path on this site or an https URL. */
  picture: string | null
  snippet: string
  can_embed: number
  /** 0: the newsletter has no web page. */
  has_view: number
  created_at: number
  updated_at: number
  sent_at: number | null
}

/** Plain text of a campaign, for `matchesWords`. */
export interface CampaignSearchTable {
  campaign_id: string
  words: string
}

/** The sending of a campaign; recipients are fixed at the start. */
export interface MailingTable {
  campaign_id: string
  state: 'sending' | 'paused' | 'finished'
  recipients: number
  started_at: number
  /** The earliest time to continue; in the future after the mail server failed. */
  resume_at: number
  failures_in_a_row: number
  last_error: string | null
  finished_at: number | null
}

/**
 * One copy for one recipient. `sending` is written before the mail server is called, so that a crash leaves no doubt: such a copy may or may not have arrived
 * and becomes `uncertain`, which is never resent automatically.
 */
export type DeliveryState = 'waiting' | 'sending' | 'accepted' | 'bounced' | 'failed' | 'uncertain' | 'skipped'

export interface DeliveryTable {
  /** Also its Message-ID. */
  id: string
  campaign_id: string
  subscriber_id: string
  email: string
  state: DeliveryState
  attempts: number
  due_at: number
  leased_until: number | null
  finished_at: number | null
  reason: string | null
}

/** A newsletter as composed in the console; its campaign is generated from the draft until it is sent. */
export interface CampaignDraftTable {
  campaign_id: string
  /** JSON: `NewsletterBlock[]`. */
  blocks: string
  /** Incremented by every change. */
  version: number
  updated_by: string
  updated_at: number
}

/** A campaign scheduled to be sent later; deleted once sending starts. */
export interface MailingScheduleTable {
  campaign_id: string
  due_at: number
  asked_by: string
  asked_at: number
  /** Why sending did not start when due. */
  refused: string | null
}
