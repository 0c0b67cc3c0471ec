/** Who gets the newsletter, what is written to them, and what became of each copy. */
export interface SubscriberTable {
  id: string
  email: string
  email_key: string
  /** `bounced` and `complained` are suppressed as well as those who `left`. */
  state: 'pending' | 'subscribed' | 'left' | 'bounced' | 'complained'
  source: string
  asked_at: number
  confirmed_at: number | null
  left_at: number | null
  /** Set where the address came in a list: then the association states the consent, and `confirmed_at` is null until its owner confirms too. */
  imported_at: number | null
  /** The day on which an imported reader agreed, `YYYY-MM-DD`, and where or how; null where the list did not say. */
  consent_on: string | null
  consent_source: string | null
  /** Letters returned for good, and for a while, since the address was confirmed. */
  hard_bounces: number
  soft_bounces: number
}

export interface SuppressionTable {
  email_hash: string
  reason: string
  created_at: number
}

/** A newsletter. In the archive from `sent_at` on. */
export interface CampaignTable {
  id: string
  /** The archive's title of it. */
  name: string
  subject: string
  /** `paper`: words for the association's letter paper; `own`: a whole design that was given. */
  layout: 'paper' | 'own'
  /** Sanitised, with addresses of this site as paths. */
  html: string
  text: string
  /** A path of this site or an https address. */
  picture: string | null
  snippet: string
  can_embed: number
  /** 0: it has no address to be read at. */
  has_view: number
  created_at: number
  updated_at: number
  sent_at: number | null
}

/** Plain words of a campaign, for `matchesWords`. */
export interface CampaignSearchTable {
  campaign_id: string
  words: string
}

/** The job of sending a campaign: its recipients are fixed when it begins. */
export interface MailingTable {
  campaign_id: string
  state: 'sending' | 'paused' | 'finished'
  recipients: number
  started_at: number
  /** Not before: later than now after the mail server failed. */
  resume_at: number
  failures_in_a_row: number
  last_error: string | null
  finished_at: number | null
}

/**
 * One copy for one recipient. `sending` is written before the mail server hears of it, so that after a crash nobody has to guess: such a copy may or may
 * not have arrived and becomes `uncertain`, which is never sent again by itself.
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
  settled_at: number | null
  reason: string | null
}

/** A newsletter as it is composed in the console; its campaign is made from it until it is sent. */
export interface CampaignDraftTable {
  campaign_id: string
  /** JSON: `NewsletterBlock[]`. */
  blocks: string
  /** Raised by every change. */
  version: number
  updated_by: string
  updated_at: number
}

/** A campaign that is to be sent later; gone once it has begun. */
export interface MailingScheduleTable {
  campaign_id: string
  due_at: number
  asked_by: string
  asked_at: number
  /** Why it did not begin when it was due. */
  refused: string | null
}
