import type { Generated } from 'kysely'
import type {
  CommitteeTable,
  ContentVersionTable,
  EventTable,
  FaqTable,
  FigureTable,
  ForumMemberTable,
  LeaderBodyTable,
  LeaderTable,
  NewsItemTable,
  NoticeTable,
  PageTable,
  PastPresidentTable,
  SettingTable,
  SponsorTable,
  TierTable,
} from './content-schema.ts'

import type {
  AccountDeletionTable,
  AccountEndTable,
  AccountTable,
  DepartedLoginTable,
  EmailChangeTable,
  LoginNameTable,
} from './account-schema.ts'
import type { Lane, Priority } from '../platform/effect-priorities.ts'
import type { ContentRevisionTable, PictureDescriptionTable } from './content-editing-schema.ts'
import type { RollOverTable } from './roll-over-schema.ts'
import type {
  CheckInTable,
  EventOfferTable,
  RsvpOrderTable,
  RsvpRefundTable,
  RsvpRequestTable,
  RsvpTable,
} from './events-schema.ts'
import type { ContactMessageTable, MessageAnswerTable, MessageTemplateTable, RunOfShowTable } from './inbox-schema.ts'
import type {
  ApprovalTable,
  ConsoleViewTable,
  MemberViewingTable,
  OfficerTermTable,
  PasskeyChallengeTable,
  PasskeyTable,
  RecoveryCodeTable,
  SecondFactorTable,
  SessionProofTable,
} from './console-schema.ts'
import type {
  CampaignDraftTable,
  CampaignSearchTable,
  CampaignTable,
  DeliveryTable,
  MailingScheduleTable,
  MailingTable,
  SubscriberTable,
  SuppressionTable,
} from './newsletter-schema.ts'
import type {
  AccountMergeTable,
  CheckoutTable,
  ComplimentaryTermTable,
  CouponTable,
  CredentialTable,
  AccountSearchTable,
  ImportFileTable,
  ImportRowTable,
  MemberImportTable,
  MembershipLevelTable,
  MembershipNoticeTable,
  MembershipTable,
  PaymentCreditTable,
  PaymentTable,
  PriceChangeTable,
  PriceMoveTable,
  StripeEventTable,
} from './membership-schema.ts'

/**
 * The tables, the same on SQLite and PostgreSQL: ids are text made by us, money is integer minor units, instants are epoch
 * milliseconds, days `YYYY-MM-DD`, flags 0 or 1, JSON is text.
 */
export interface Schema {
  account: AccountTable
  login_name: LoginNameTable
  departed_login: DepartedLoginTable
  session: SessionTable
  known_browser: KnownBrowserTable
  pending_registration: PendingRegistrationTable
  one_time_token: OneTimeTokenTable
  email_change: EmailChangeTable
  account_deletion: AccountDeletionTable
  account_end: AccountEndTable
  consent: ConsentTable
  membership_level: MembershipLevelTable
  membership: MembershipTable
  membership_notice: MembershipNoticeTable
  coupon: CouponTable
  complimentary_term: ComplimentaryTermTable
  price_change: PriceChangeTable
  price_move: PriceMoveTable
  credential: CredentialTable
  member_import: MemberImportTable
  account_search: AccountSearchTable
  import_file: ImportFileTable
  import_row: ImportRowTable
  account_merge: AccountMergeTable
  checkout: CheckoutTable
  payment: PaymentTable
  payment_credit: PaymentCreditTable
  stripe_event: StripeEventTable
  audit: AuditTable
  officer_term: OfficerTermTable
  second_factor: SecondFactorTable
  recovery_code: RecoveryCodeTable
  passkey: PasskeyTable
  passkey_challenge: PasskeyChallengeTable
  session_proof: SessionProofTable
  console_view: ConsoleViewTable
  member_viewing: MemberViewingTable
  approval: ApprovalTable
  page: PageTable
  leader_body: LeaderBodyTable
  leader: LeaderTable
  committee: CommitteeTable
  past_president: PastPresidentTable
  faq: FaqTable
  event: EventTable
  news_item: NewsItemTable
  sponsor: SponsorTable
  tier: TierTable
  sponsorship: SponsorshipTable
  forum_member: ForumMemberTable
  contact_message: ContactMessageTable
  message_answer: MessageAnswerTable
  message_template: MessageTemplateTable
  run_of_show: RunOfShowTable
  subscriber: SubscriberTable
  suppression: SuppressionTable
  campaign: CampaignTable
  campaign_search: CampaignSearchTable
  campaign_draft: CampaignDraftTable
  mailing_schedule: MailingScheduleTable
  mailing: MailingTable
  delivery: DeliveryTable
  event_offer: EventOfferTable
  rsvp: RsvpTable
  check_in: CheckInTable
  rsvp_order: RsvpOrderTable
  rsvp_request: RsvpRequestTable
  rsvp_refund: RsvpRefundTable
  notice: NoticeTable
  figure: FigureTable
  setting: SettingTable
  content_version: ContentVersionTable
  content_revision: ContentRevisionTable
  roll_over: RollOverTable
  picture_description: PictureDescriptionTable
  outbox: OutboxTable
  rate_limit: RateLimitTable
  job: JobTable
}

export interface SessionTable {
  /** The token's `sid`. */
  id: string
  account_id: string
  created_at: number
  last_seen_at: number
  /** Such as 'Chrome on Android'; never the whole header. */
  browser: string
  revoked_at: number | null
  /** Set when the token was exchanged (docs/product-rules.md#token-refresh); a second exchange is refused. */
  refreshed_at: number | null
}

export interface KnownBrowserTable {
  browser_hash: string
  account_id: string
  created_at: number
}

export interface PendingRegistrationTable {
  id: string
  email: string
  email_key: string
  username: string
  username_key: string
  password_hash: string
  first_name: string
  last_name: string
  level_key: string
  terms_version: string
  created_at: number
  expires_at: number
  verified_at: number | null
  /** Set when it became an account; kept so that its link can still answer. */
  completed_at: number | null
}

export interface OneTimeTokenTable {
  id: string
  purpose: 'verification' | 'password_reset' | 'email_change' | 'email_change_stop'
  /** SHA-256 of the token; the token itself is derived from the id when the letter is sent. */
  token_hash: string
  /** Of a pending registration or an account. */
  subject_id: string
  created_at: number
  /** Moved while its email waits: the link is good for `lasts_ms` from when it was sent. */
  expires_at: number
  lasts_ms: number
  /** null: its email has not left yet. */
  sent_at: number | null
  used_at: number | null
}

export interface ConsentTable {
  id: string
  person_id: string
  kind: string
  version: string
  given_at: number
}

export interface AuditTable {
  id: string
  at: number
  actor: string
  action: string
  subject_id: string
  details: string
}

export type SponsorshipState = 'creating' | 'open' | 'paid' | 'expired' | 'failed'

/** A sponsor's order, its payment, and the promises it carries; each promise is open until its `…_done_at` is set. */
export interface SponsorshipTable {
  id: string
  name: string
  email: string
  company: string
  phone: string | null
  message: string | null
  tier_name: string
  /** Cents. */
  amount: number
  currency: string
  state: SponsorshipState
  /** Hash of the order while it is creating or open, else null: unique, so an order sent twice has one session. */
  open_key: string | null
  /** Part of the idempotency key; raised after an answer that settles nothing. */
  attempt: number
  leased_until: number | null
  stripe_session_id: string | null
  url: string | null
  nonce_hash: string
  created_at: number
  expires_at: number
  checked_at: number
  paid_at: number | null
  payment_reference: string | null
  receipt_number: string | null
  /** null: none promised. */
  remarks_minutes: number | null
  remarks_done_at: number | null
  reserved_table: number
  reserved_table_done_at: number | null
  /** How long the logo stays, as ordered; null: none promised. `logo_until` is the day that makes once it is paid. */
  logo_months: number | null
  logo_until: string | null
  /** When it was put up. */
  logo_done_at: number | null
  /** What came back of it, as the provider says. */
  amount_refunded: number
  refunded_at: number | null
  dispute_state: 'open' | 'won' | 'lost' | null
}

export interface OutboxTable {
  id: string
  kind: string
  /** JSON; ids and addresses, never a token or a password. */
  payload: string
  /** Unique when given: the same effect is not queued twice. */
  dedupe_key: string | null
  created_at: number
  due_at: number
  lane: Generated<Lane>
  priority: Generated<Priority>
  leased_until: number | null
  /** The process that took it last, as `platform/holder.ts` names it. */
  leased_by: string | null
  attempts: number
  last_error: string | null
  done_at: number | null
  /** Given up; kept for the webmaster. */
  dead_at: number | null
}

export interface RateLimitTable {
  key: string
  count: number
  window_ends_at: number
}

export interface JobTable {
  name: string
  due_at: number
  leased_until: number | null
  last_done_at: number | null
  last_error: string | null
}
