/** The tables of memberships and their payments; conventions as in `schema.ts`. */

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
  /** The price with this amount; null until first needed. Prices are created, never changed. */
  stripe_price_id: string | null
}

/** Has no status: `membership.rules.ts` derives it from these columns and the clock. */
export interface MembershipTable {
  id: string
  account_id: string
  level_key: string
  kind: 'ONE_TIME' | 'RECURRING'
  started_at: number
  /** End of the paid or granted term; null for lifetime. */
  ends_at: number | null
  stripe_subscription_id: string | null
  /** As last reported by Stripe; null without a subscription. */
  stripe_status: string | null
  cancel_at_period_end: number
  /** When charging the open renewal first failed, by the provider's clock. */
  past_due_since: number | null
  /** When the provider retries the card; null when it does not. */
  next_attempt_at: number | null
  /** When the provider canceled the subscription because charging failed. */
  gave_up_at: number | null
  /** Amount of each renewal, as last reported by the provider; null without a subscription or before it was read. */
  renewal_amount: number | null
  /** When it stopped being the person's membership (replaced, refunded). */
  ended_at: number | null
  /** 1 on the person's current membership, else null: unique together with account_id. */
  is_current: 1 | null
  updated_at: number
}

/** A requested change of a level's price; immutable. */
export interface PriceChangeTable {
  id: string
  level_key: string
  amount_before: number
  amount_after: number
  currency: string
  /** Who pays the new price: new members, or existing members too from their next renewal. */
  scope: 'joining' | 'everybody'
  starts_at: number
  state: 'planned' | 'begun' | 'withdrawn'
  /** Account id of the officer. */
  asked_by: string
  asked_at: number
  begun_at: number | null
  /** The level's key while planned, else null: unique, so a level has at most one planned change. */
  planned_key: string | null
}

/** A subscription that is moved to another price at its next renewal. */
export interface PriceMoveTable {
  change_id: string
  subscription_id: string
  /** `gone`: it ended or changed its level before it was moved. */
  state: 'waiting' | 'moved' | 'gone'
  queued_at: number
  done_at: number | null
}

export interface CheckoutTable {
  id: string
  /** Id of an account, or of the registration that will become one. */
  person_id: string
  level_key: string
  /** The amount charged now: the level's price less `credit`. */
  amount: number
  /** Credit for the unused part of the membership this one replaces. */
  credit: number
  currency: string
  mode: 'subscription' | 'payment'
  state: CheckoutState
  /** The person's id while creating or open, else null: unique, so a person has one open checkout (docs/product-rules.md#open-checkouts-are-reused). */
  open_key: string | null
  /** Part of the idempotency key; incremented after an inconclusive response. */
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
  /** Whether the provider's page accepts coupon codes: a checkout created before the first coupon does not. */
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
  /** Identifies the payment in webhook events about refunds and disputes; null when nothing was charged at the provider. */
  payment_intent_id: string | null
  purpose: 'start' | 'renewal' | 'change'
  /** End of the term it paid for; null for lifetime. */
  period_ends_at: number | null
  activated_at: number | null
  receipt_sent_at: number | null
  amount_refunded: number
  refunded_at: number | null
  dispute_state: 'open' | 'won' | 'lost' | null
  /** The coupon discount; `amount` is what was paid. */
  discount: number
  coupon_code: string | null
  /** Total refunds that officers requested; the provider confirms them in `amount_refunded`. */
  refund_asked: number
  /** When an officer voided the record of a check or cash payment. Its receipt keeps its number. */
  voided_at: number | null
  /** Account id of the officer, or 'webmaster'. */
  voided_by: string | null
  void_reason: string | null
  /** The voided payment that this one corrects: unique, so each is corrected once. */
  replaces_id: string | null
}

/** The credit an earlier payment gives toward an order, per payment. */
export interface PaymentCreditTable {
  payment_id: string
  checkout_id: string
  amount: number
  offered_at: number
  /** When the order completed: from then on this amount of the payment can be neither refunded nor credited again. */
  taken_at: number | null
  /** When the order's payment was refunded in full: the credit no longer counts. */
  released_at: number | null
}

/** A discount on a first term, by code. Created at the provider and never changed there, only ended. */
export interface CouponTable {
  id: string
  /** Upper case. */
  code: string
  /** Exactly one of the two is set. */
  percent_off: number | null
  amount_off: number | null
  currency: string
  /** JSON list of level keys. */
  levels: string
  /** First instant at which it is no longer valid. */
  valid_until: number | null
  most_uses: number | null
  note: string | null
  /** `waiting`: not created at the provider yet. `refused`: rejected by the provider. */
  state: 'waiting' | 'active' | 'refused' | 'ended'
  stripe_promotion_id: string | null
  created_by: string
  created_at: number
  ended_at: number | null
}

/** A complimentary term given by an officer, with the reason. */
export interface ComplimentaryTermTable {
  id: string
  account_id: string
  membership_id: string
  level_key: string
  /** Its last instant; null for lifetime. */
  ends_at: number | null
  reason: string
  given_by: string
  given_at: number
}

/**
 * Inbox of Stripe's webhook events: each is stored once and processed by an outbox effect (docs/product-rules.md#activation). `object_id` is the object the
 * handler re-reads.
 */
export interface StripeEventTable {
  id: string
  type: string
  object_id: string
  created_at: number
  received_at: number
  done_at: number | null
}

/** Credentials that a member submitted; each submission is a new row, and the newest counts. */
export interface CredentialTable {
  id: string
  account_id: string
  npi: string
  licence_state: string
  given_at: number
  status: 'waiting' | 'approved' | 'declined'
  decided_at: number | null
  /** Account id of the officer. */
  decided_by: string | null
  /** The evidence for the approval, or the reason for declining. */
  evidence: string | null
  /** A physician has a license, NPI and state; training has a place and an end, with empty NPI and state. */
  kind: 'licence' | 'student' | 'resident'
  /** School or program. */
  place: string | null
  /** Expected graduation, or end of training. */
  ends_on: string | null
  /** The kind of evidence for approved training. */
  evidence_kind: string | null
  /** When the credential was approved or last confirmed; the time until the next recheck starts here. */
  counted_from: number | null
  /** The last question to the member, when it was sent, and when the member confirmed. */
  question: string | null
  asked_at: number | null
  answered_at: number | null
}

/** Which import created an account, so that a batch can be undone. */
export interface MemberImportTable {
  account_id: string
  batch: string
  imported_at: number
}

/** Normalized text for the console's member search, rebuilt when the account differs from `source`. */
export interface AccountSearchTable {
  account_id: string
  source: string
  words: string
}

/** A CSV file of members chosen by an officer. `checked`: validated but not imported. Deleted after 30 days. */
export interface ImportFileTable {
  id: string
  filename: string
  /** Account id of the officer who chose it. */
  officer_id: string
  /** JSON: the first row of the file. */
  headings: string
  /** `reading`: rows are being stored. */
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

/** One row of such a file. After the import only its verdict is kept. */
export interface ImportRowTable {
  file_id: string
  line: number
  verdict: 'new' | 'changed' | 'unchanged' | 'wrong'
  /** JSON: the cells as in the file. */
  original: string
  /** JSON: the normalized cells by column. */
  cells: string
  /** JSON: changes to an existing member. */
  changes: string
  /** JSON: the faults, and how to fix them. */
  faults: string
  done_at: number | null
}

/** A merge of two accounts of one person. The changed values are kept as long as the merge can be undone. */
export interface AccountMergeTable {
  id: string
  kept_id: string
  merged_id: string
  /** Account id of the officer. */
  officer_id: string
  reason: string
  merged_at: number
  /** JSON: values before and after, by column; empty once the merge can no longer be undone. */
  changes: string
  undone_at: number | null
  undone_by: string | null
  /** The password and second factor of the surviving account before the merge; null for merges by older releases. */
  kept_login: string | null
}

/** A membership reminder, sent at most once, with proof of sending. */
export interface MembershipReminderTable {
  id: string
  account_id: string
  membership_id: string
  kind: string
  /** Time of the charge, failure or end it is about; prevents duplicates. */
  about_at: number
  queued_at: number
  /** `dropped`: no longer true when it was about to be sent. */
  state: 'queued' | 'sent' | 'dropped'
  closed_at: number | null
  /** Proof of sending: Message-ID, address, and as JSON the amounts and dates it contained. */
  message_id: string | null
  sent_to: string | null
  sent_values: string | null
}
