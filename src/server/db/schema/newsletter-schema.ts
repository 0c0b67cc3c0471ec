import type { NewsletterBlock } from '#contract/console/newsletter.ts'
import type { ImportedCounts, ReaderSystem } from '#contract/console/subscribers.ts'
import type { JsonText } from './column-values.ts'

/** Subscribers, newsletters, and the delivery of each copy. */
export interface SubscriberTable {
  id: string
  email: string
  emailKey: string
  /** `bounced` and `complained` are suppressed, as is `left`. */
  state: 'pending' | 'subscribed' | 'left' | 'bounced' | 'complained'
  source: string
  askedAt: number
  confirmedAt: number | null
  leftAt: number | null
  /** Set for an imported address: the association states the consent, and `confirmed_at` is null until the owner confirms too. */
  importedAt: number | null
  /** The day an imported subscriber consented, `YYYY-MM-DD`, and where or how; null when the list did not say. */
  consentOn: string | null
  consentSource: string | null
  /** Permanent and temporary bounces since the address was confirmed. */
  hardBounces: number
  softBounces: number
}

export interface SuppressionTable {
  emailHash: string
  reason: string
  createdAt: number
}

/** An import of subscribers, as long as it can be undone. */
export interface SubscriberImportTable {
  id: string
  filename: string
  system: ReaderSystem | null
  counts: JsonText<ImportedCounts>
  importedAt: number
  /** Account id of the officer; `webmaster` for a command. */
  importedBy: string
  undoneAt: number | null
  undoneBy: string | null
}

/** What an import did with an address, without the address. */
export interface SubscriberImportRowTable {
  importId: string
  emailHash: string
  /** `added` a subscriber, `blocked` an address that was none or was suppressed already, `ended` a subscription. */
  act: 'added' | 'blocked' | 'ended'
  subscriberId: string | null
  /** The state of an ended subscription before. */
  stateBefore: SubscriberTable['state'] | null
  /** Why the address is suppressed now; null for an added one. */
  reason: 'left' | 'bounce' | 'complaint' | null
  /** Why it was suppressed before. */
  reasonBefore: string | null
  /** When something other than an import last suppressed the address or lifted that since; an undo leaves such an address as it is. */
  touchedAt: number | null
}

/** `subscribers` get newsletters, `members` get emails to members. */
export type CampaignRecipients = 'subscribers' | 'members'

/** A newsletter, or an email to members. */
export interface CampaignTable {
  id: string
  recipients: CampaignRecipients
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
  canEmbed: number
  /** 0: the newsletter has no web page. */
  hasView: number
  createdAt: number
  updatedAt: number
  /** A newsletter is listed in the archive from then on. Always null for an email to members. */
  sentAt: number | null
}

/** Plain text of a campaign, for `matchesWords`. */
export interface CampaignSearchTable {
  campaignId: string
  words: string
}

/** The sending of a campaign; recipients are fixed at the start. */
export interface MailingTable {
  campaignId: string
  state: 'sending' | 'paused' | 'finished'
  recipients: number
  startedAt: number
  /** The earliest time to continue; in the future after the mail server failed. */
  resumeAt: number
  failuresInARow: number
  lastError: string | null
  finishedAt: number | null
}

/**
 * One copy for one recipient. `sending` is written before the mail server is called, so that a crash leaves no doubt: such a copy may or may not have arrived
 * and becomes `uncertain`, which is never resent automatically.
 */
export type DeliveryState = 'waiting' | 'sending' | 'accepted' | 'bounced' | 'failed' | 'uncertain' | 'skipped'

export interface DeliveryTable {
  /** Also its Message-ID. */
  id: string
  campaignId: string
  /** The id of a subscriber; of an account, for an email to members. */
  recipientId: string
  email: string
  state: DeliveryState
  attempts: number
  dueAt: number
  leasedUntil: number | null
  finishedAt: number | null
  reason: string | null
}

/** A newsletter as composed in the console; its campaign is generated from the draft until it is sent. */
export interface CampaignDraftTable {
  campaignId: string
  blocks: JsonText<NewsletterBlock[]>
  /** Incremented by every change. */
  version: number
  updatedBy: string
  updatedAt: number
}

/** A campaign scheduled to be sent later; deleted once sending starts. */
export interface MailingScheduleTable {
  campaignId: string
  dueAt: number
  askedBy: string
  askedAt: number
  /** Why sending did not start when due. */
  refused: string | null
}
