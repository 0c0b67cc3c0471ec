/** The tables of memberships and what is paid for them; conventions as in `schema.ts`. */

export type CheckoutState = 'creating' | 'open' | 'completed' | 'expired' | 'failed' | 'refunded'

export interface MembershipLevelTable {
  id: string
  key: string
  name: string
  description: string
  unit_amount: number
  currency: string
  interval: 'year' | 'month' | null
  interval_count: number | null
  position: number
  is_on_sale: number
  /** Of the price with this amount; null until first needed. Prices are created, never changed. */
  stripe_price_id: string | null
}

/** Facts, not a status: `membership.rules.ts` says the status from these and the clock. */
export interface MembershipTable {
  id: string
  account_id: string
  level_key: string
  kind: 'ONE_TIME' | 'RECURRING'
  started_at: number
  /** End of what is paid for or granted; null for lifetime. */
  ends_at: number | null
  stripe_subscription_id: string | null
  /** As Stripe said it last; null without a subscription. */
  stripe_status: string | null
  cancel_at_period_end: number
  /** When the renewal that is owed was first charged in vain, by the provider's clock. */
  past_due_since: number | null
  /** When the provider tries the card again; null when it does not. */
  next_attempt_at: number | null
  /** When the provider ended it because nothing could be charged. */
  gave_up_at: number | null
  /** What its subscription charges at each renewal, as the provider said it last; null without one, and until it was read. */
  renewal_amount: number | null
  /** When it stopped being the person's membership (replaced, refunded). */
  ended_at: number | null
  /** 1 on the person's present membership, else null: unique together with account_id. */
  is_current: 1 | null
  updated_at: number
}

/** A change of what a level costs, once it was asked for; never edited afterwards. */
export interface PriceChangeTable {
  id: string
  level_key: string
  amount_before: number
  amount_after: number
  currency: string
  /** Who pays the new price: whoever joins, or members too from their next renewal on. */
  scope: 'joining' | 'everybody'
  starts_at: number
  state: 'planned' | 'begun' | 'withdrawn'
  /** The officer's account. */
  asked_by: string
  asked_at: number
  begun_at: number | null
  /** The level's key while planned, else null: unique, so a level has one planned change. */
  planned_key: string | null
}

/** A subscription that charges another price from its next renewal on, because of a change. */
export interface PriceMoveTable {
  change_id: string
  subscription_id: string
  /** `gone`: it ended, or changed its level, before it was moved. */
  state: 'waiting' | 'moved' | 'gone'
  queued_at: number
  settled_at: number | null
}

export interface CheckoutTable {
  id: string
  /** An account's id, or the registration's that will become one. */
  person_id: string
  level_key: string
  /** What is charged today: the level's price less `credit`. */
  amount: number
  /** For what is left of a membership this one replaces. */
  credit: number
  currency: string
  mode: 'subscription' | 'payment'
  state: CheckoutState
  /** The person's id while creating or open, else null: unique, so a person has one open checkout (docs/product-rules.md#open-checkouts-are-reused). */
  open_key: string | null
  /** Part of the idempotency key; raised after an answer that settles nothing. */
  attempt: number
  leased_until: number | null
  stripe_session_id: string | null
  url: string | null
  nonce_hash: string
  created_at: number
  expires_at: number
  paid_at: number | null
  completed_at: number | null
  token_handed_at: number | null
  checked_at: number
  /** Whether the provider's page takes codes: whoever began it when no coupon was there cannot use one. */
  allows_codes: number
}

export interface PaymentTable {
  id: string
  account_id: string
  checkout_id: string | null
  /** Stripe's invoice or payment intent: unique, so a payment is recorded once. */
  reference: string
  level_key: string
  amount: number
  currency: string
  receipt_number: string
  paid_at: number
  recorded_at: number
  /** How the provider's notices about refunds and disputes name it; null when nothing was charged there. */
  payment_intent_id: string | null
  purpose: 'start' | 'renewal' | 'change'
  /** End of what it paid for; null for lifetime. */
  period_ends_at: number | null
  activated_at: number | null
  receipt_sent_at: number | null
  amount_refunded: number
  refunded_at: number | null
  dispute_state: 'open' | 'won' | 'lost' | null
  /** What a code took off; `amount` is what was paid. */
  discount: number
  coupon_code: string | null
  /** What officers asked the provider to return in all; the provider confirms it as `amount_refunded`. */
  refund_asked: number
  /** When an officer canceled the record of a check or cash. Its receipt keeps its number. */
  voided_at: number | null
  /** The officer's account, or 'webmaster'. */
  voided_by: string | null
  void_reason: string | null
  /** The canceled payment that this one corrects: unique, so each is corrected once. */
  replaces_id: string | null
}

/** What an order is cheaper by because of an earlier payment, for each payment. */
export interface PaymentCreditTable {
  payment_id: string
  checkout_id: string
  amount: number
  offered_at: number
  /** When the order was settled: from then on the payment cannot be refunded by so much, nor credited again. */
  taken_at: number | null
  /** When the payment of the order came back whole: the credit counts no more. */
  released_at: number | null
}

/** Less for a first term, for whoever knows the code. Made at the provider, never changed there; only ended. */
export interface CouponTable {
  id: string
  /** In capitals. */
  code: string
  /** One of the two. */
  percent_off: number | null
  amount_off: number | null
  currency: string
  /** JSON list of level keys. */
  levels: string
  /** First instant it is no longer taken. */
  valid_until: number | null
  most_uses: number | null
  note: string | null
  /** `waiting`: not at the provider yet. `refused`: the provider would not make it. */
  state: 'waiting' | 'active' | 'refused' | 'ended'
  stripe_promotion_id: string | null
  created_by: string
  created_at: number
  ended_at: number | null
}

/** A term that an officer gave for nothing, with the reason. */
export interface ComplimentaryTermTable {
  id: string
  account_id: string
  membership_id: string
  level_key: string
  /** Its last instant; null for life. */
  ends_at: number | null
  reason: string
  given_by: string
  given_at: number
}

/** Inbox of Stripe's notices: stored once, handled by an effect of the outbox (docs/product-rules.md#activation). `object_id` is what the handler re-reads. */
export interface StripeEventTable {
  id: string
  type: string
  object_id: string
  created_at: number
  received_at: number
  done_at: number | null
}

/** What a physician gave to be verified; each time anew a row, the newest counts. */
export interface CredentialTable {
  id: string
  account_id: string
  npi: string
  licence_state: string
  given_at: number
  status: 'waiting' | 'approved' | 'declined'
  decided_at: number | null
  /** The officer's account. */
  decided_by: string | null
  /** What was looked at, or why it was declined. */
  evidence: string | null
  /** Of a physician's licence, NPI and state; of training, place and end, with an empty NPI and state. */
  kind: 'licence' | 'student' | 'resident'
  /** School or programme. */
  place: string | null
  /** Expected graduation, or end of the training. */
  ends_on: string | null
  /** What kind of evidence an approval of training rests on. */
  evidence_kind: string | null
  /** Approved or found still right: since when the time until the next look runs. */
  counted_from: number | null
  /** What its owner was asked last, when, and when they said that it is still right. */
  question: string | null
  asked_at: number | null
  answered_at: number | null
}

/** Which import made an account, so that a batch can be taken back. */
export interface MemberImportTable {
  account_id: string
  batch: string
  imported_at: number
}

/** What the search of the console compares, made from the account whenever that differs from `source`. */
export interface AccountSearchTable {
  account_id: string
  source: string
  words: string
}

/** A file of members that an officer chose. `checked`: looked at, nothing imported. Forgotten after 30 days. */
export interface ImportFileTable {
  id: string
  filename: string
  /** The account of who chose it. */
  officer_id: string
  /** JSON: the first row of the file. */
  headings: string
  /** `reading`: while its rows are being stored. */
  state: 'reading' | 'checked' | 'running' | 'done'
  sends_invitations: number
  created_at: number
  confirmed_at: number | null
  confirmed_by: string | null
  finished_at: number | null
  undo_begun_at: number | null
  undone_at: number | null
  undone_by: string | null
}

/** One row of such a file. Once it is imported only its verdict stays. */
export interface ImportRowTable {
  file_id: string
  line: number
  verdict: 'new' | 'changed' | 'unchanged' | 'wrong'
  /** JSON: the cells as the file has them. */
  original: string
  /** JSON: the cells by column, as we write them. */
  cells: string
  /** JSON: what becomes different about whom is there already. */
  changes: string
  /** JSON: what is wrong, and what to do about it. */
  faults: string
  done_at: number | null
}

/** Two accounts of one person made into one. What it changed in which row is kept as long as it can be undone. */
export interface AccountMergeTable {
  id: string
  kept_id: string
  merged_id: string
  /** The officer's account. */
  officer_id: string
  reason: string
  merged_at: number
  /** JSON: column by column, before and after; empty once it is too late to undo it. */
  changes: string
  undone_at: number | null
  undone_by: string | null
  /** Of the password and second factor of the account that stayed, as they were; null for merges of older releases. */
  kept_sign_in: string | null
}

/** What a member is told about a membership, once each; when sent, the proof of it. */
export interface MembershipNoticeTable {
  id: string
  account_id: string
  membership_id: string
  kind: string
  /** The charge, failure or end it is about: the same is told once. */
  about_at: number
  queued_at: number
  /** `dropped`: no longer true when it was about to be sent. */
  state: 'queued' | 'sent' | 'dropped'
  settled_at: number | null
  /** Proof of sending: the letter's Message-ID, its address, and as JSON the amounts and dates it named. */
  message_id: string | null
  sent_to: string | null
  told: string | null
}
