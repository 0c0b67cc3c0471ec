import type { Db } from '#server/db/database.ts'
import type { CampaignRecipients } from '#server/db/schema/newsletter-schema.ts'
import type { EmailBlock } from '#server/emails/email.ts'
import type { StoredCampaign } from '../campaign.queries.ts'
import type { BounceKind } from '../subscribers/bounces.service.ts'
import type { ClaimedDelivery } from './delivery.repository.ts'

/** Whom a mailing goes to: subscribers of the newsletter, or members. Its recipients are fixed when it starts. */
export interface MailingList {
  /** Creates the deliveries of a mailing that starts. `isEmpty`: it reaches no one, so it must not start. */
  createDeliveries(tx: Db, campaignId: string, now: number): Promise<{ copies: number; isEmpty: boolean }>
  /** The ids of those deliveries whose recipients may still get the email now. */
  listAllowed(db: Db, campaignId: string, deliveries: readonly ClaimedDelivery[]): Promise<ReadonlySet<string>>
  /** The path where unsubscribing links of previews lead, which unsubscribe no one. */
  unsubscribePage: string
  /** Why a delivery is skipped that is no longer allowed. */
  skippedReason: string
  /** The end of the email, with `UNSUBSCRIBE_PLACEHOLDER` for each recipient's own link. */
  footer(db: Db, campaign: StoredCampaign): Promise<EmailBlock[]>
  /** Each recipient's own link and headers; without a link, the email cannot be unsubscribed from. */
  personalize(db: Db, campaign: StoredCampaign): Promise<(recipientId: string) => Personalization>
  /** Counts a bounce or complaint, in the caller's transaction. */
  recordBounce(tx: Db, recipientId: string, kind: BounceKind): Promise<void>
}

export interface Personalization {
  /** The page where the recipient unsubscribes. */
  unsubscribeUrl: string | null
  headers: Record<string, string>
}

export type MailingLists = Record<CampaignRecipients, MailingList>
