import type { Generated } from 'kysely'
import type { TermUnit } from '#contract/level-terms.ts'

/** The tables of memberships and their payments; conventions as in `schema.ts`. */

import type { ReminderKind } from '#server/features/memberships/reminders/reminder.rules.ts'
import type { JsonText } from './column-values.ts'
import type { OrderColumns } from './order-schema.ts'

export type CheckoutState = 'creating' | 'open' | 'completed' | 'expired' | 'failed' | 'refunded'

export interface MembershipLevelTable {
  id: string
  key: string
  name: string
  description: string
  unitAmount: number
  currency: string
  interval: TermUnit | null
  intervalCount: number | null
  position: number
  isOnSale: number
  /** The price with this amount; null until first needed. Prices are created, never changed. */
  stripePriceId: string | null
}

/** Has no status: `membership.rules.ts` derives it from these columns and the clock. */
export interface MembershipTable {
  id: string
  accountId: string
  levelKey: string
  kind: 'ONE_TIME' | 'RECURRING'
  startedAt: number
  /** End of the paid or granted term; null for lifetime. */
  endsAt: number | null
  stripeSubscriptionId: string | null
  /** As last reported by Stripe; null without a subscription. */
  stripeStatus: string | null
  cancelAtPeriodEnd: number
  /** When charging the open renewal first failed, by the provider's clock. */
  pastDueSince: number | null
  /** When the provider retries the card; null when it does not. */
  nextAttemptAt: number | null
  /** When the provider canceled the subscription because charging failed. */
  gaveUpAt: number | null
  /** Amount of each renewal, as last reported by the provider; null without a subscription or before it was read. */
  renewalAmount: number | null
  /** When it stopped being the person's membership (replaced, refunded). */
  endedAt: number | null
  /** When its subscription was imported from an earlier system; what was paid before belongs to that system. null for others. */
  subscriptionImportedAt: number | null
  /** 1 on the person's current membership, else null: unique together with account_id. */
  isCurrent: 1 | null
  updatedAt: number
}

/** A requested change of a level's price; immutable. */
export interface PriceChangeTable {
  id: string
  levelKey: string
  amountBefore: number
  amountAfter: number
  currency: string
  /** Who pays the new price: new members, or existing members too from their next renewal. */
  scope: 'joining' | 'everybody'
  startsAt: number
  state: 'planned' | 'begun' | 'withdrawn'
  /** Account id of the officer. */
  askedBy: string
  askedAt: number
  begunAt: number | null
  /** The level's key while planned, else null: unique, so a level has at most one planned change. */
  plannedKey: string | null
}

/** A subscription that is moved to another price at its next renewal. */
export interface PriceMoveTable {
  changeId: string
  subscriptionId: string
  /** `gone`: it ended or changed its level before it was moved. */
  state: 'waiting' | 'moved' | 'gone'
  queuedAt: number
  doneAt: number | null
}

/** `amount` is the level's price less `credit`; `openKey` is the person's id (docs/product-rules.md#open-checkouts-are-reused). */
export interface CheckoutTable extends OrderColumns<CheckoutState> {
  /** Id of an account, or of the registration that will become one. */
  personId: string
  levelKey: string
  /** Credit for the unused part of the membership this one replaces. */
  credit: number
  mode: 'subscription' | 'payment'
  completedAt: number | null
  tokenHandedAt: number | null
  /** Whether the provider's page accepts coupon codes: a checkout created before the first coupon does not. */
  allowsCodes: number
}

export interface PaymentTable {
  id: string
  accountId: string
  checkoutId: string | null
  /** Stripe's invoice or payment intent: unique, so a payment is recorded once. */
  reference: string
  levelKey: string
  amount: number
  currency: string
  receiptNumber: string
  paidAt: number
  recordedAt: number
  /** Identifies the payment in webhook events about refunds and disputes; null when nothing was charged at the provider. */
  paymentIntentId: string | null
  purpose: 'start' | 'renewal' | 'change'
  /** End of the term it paid for; null for lifetime. */
  periodEndsAt: number | null
  activatedAt: number | null
  receiptSentAt: number | null
  amountRefunded: number
  refundedAt: number | null
  disputeState: 'open' | 'won' | 'lost' | null
  /** The coupon discount; `amount` is what was paid. */
  discount: number
  couponCode: string | null
  /** Total refunds that officers requested; the provider confirms them in `amount_refunded`. */
  refundAsked: number
  /** When an officer voided the record of a check or cash payment. Its receipt keeps its number. */
  voidedAt: number | null
  /** Account id of the officer, or 'webmaster'. */
  voidedBy: string | null
  voidReason: string | null
  /** The voided payment that this one corrects: unique, so each is corrected once. */
  replacesId: string | null
}

/** The credit an earlier payment gives toward an order, per payment. */
export interface PaymentCreditTable {
  paymentId: string
  checkoutId: string
  amount: number
  offeredAt: number
  /** When the order completed: from then on this amount of the payment can be neither refunded nor credited again. */
  takenAt: number | null
  /** When the order's payment was refunded in full: the credit no longer counts. */
  releasedAt: number | null
}

/** A discount on a first term, by code. Created at the provider and never changed there, only ended. */
export interface CouponTable {
  id: string
  /** Upper case. */
  code: string
  /** Exactly one of the two is set. */
  percentOff: number | null
  amountOff: number | null
  currency: string
  /** Keys of the levels. */
  levels: JsonText<string[]>
  /** First instant at which it is no longer valid. */
  validUntil: number | null
  mostUses: number | null
  note: string | null
  /** `waiting`: not created at the provider yet. `refused`: rejected by the provider. */
  state: 'waiting' | 'active' | 'refused' | 'ended'
  stripePromotionId: string | null
  createdBy: string
  createdAt: number
  endedAt: number | null
}

/** A complimentary term given by an officer, with the reason. */
export interface ComplimentaryTermTable {
  id: string
  accountId: string
  membershipId: string
  levelKey: string
  /** Its last instant; null for lifetime. */
  endsAt: number | null
  reason: string
  givenBy: string
  givenAt: number
}

/**
 * Inbox of Stripe's webhook events: each is stored once and processed by an outbox effect (docs/product-rules.md#activation). `object_id` is the object the
 * handler re-reads.
 */
export interface StripeEventTable {
  id: string
  type: string
  objectId: string
  createdAt: number
  receivedAt: number
  doneAt: number | null
}

/** Credentials that a member submitted; each submission is a new row, and the newest counts. */
export interface CredentialTable {
  id: string
  accountId: string
  /** The number, such as an NPI; empty if the kind has none. */
  npi: string
  /** Where it was issued; empty if the kind does not ask for it. */
  licenceState: string
  givenAt: number
  status: 'waiting' | 'approved' | 'declined'
  decidedAt: number | null
  /** Account id of the officer. */
  decidedBy: string | null
  /** The evidence for the approval, or the reason for declining. */
  evidence: string | null
  /** The key of a content record `credential-kinds`. */
  kind: string
  /** School or program. */
  place: string | null
  /** Expected graduation, or end of training. */
  endsOn: string | null
  /** The kind of evidence for approved training. */
  evidenceKind: string | null
  /** When the credential was approved or last confirmed; the time until the next recheck starts here. */
  countedFrom: number | null
  /** The last question to the member, when it was sent, and when the member confirmed. */
  question: string | null
  askedAt: number | null
  answeredAt: number | null
  /** Answers to the other questions of the kind by their keys, as JSON; null: there are none. */
  answers: Generated<string | null>
}

/** A membership reminder, sent at most once, with proof of sending. */
export interface MembershipReminderTable {
  id: string
  accountId: string
  membershipId: string
  kind: ReminderKind
  /** Time of the charge, failure or end it is about; prevents duplicates. */
  aboutAt: number
  queuedAt: number
  /** `dropped`: no longer true when it was about to be sent. */
  state: 'queued' | 'sent' | 'dropped'
  closedAt: number | null
  /** Proof of sending: Message-ID, address, and the amounts and dates it contained. */
  messageId: string | null
  sentTo: string | null
  sentValues: JsonText<Record<string, string>> | null
}
