import type { AfterImport, BeforeImport } from '#server/features/treasury/subscriptions/subscription-undo.rules.ts'
import type { JsonText } from './column-values.ts'

/** What all payments share, whatever they are for; conventions as in `schema.ts`. */

export type PaymentKind = 'dues' | 'seats' | 'sponsorship'

/** How money moves. `none`: nothing was paid. */
export type PaymentMethod = 'card' | 'cheque' | 'cash' | 'zelle' | 'wire' | 'other' | 'none'

/** A change of what the association keeps of a payment. Written in the transaction of the change, never updated: the sum of a payment's entries is what is kept of it. */
export interface LedgerEntryTable {
  id: string
  kind: PaymentKind
  /** The row of `payment`, `rsvp_order`, `sponsorship` or `complimentary_term`. */
  paymentId: string
  type: 'payment' | 'refund' | 'dispute' | 'canceled' | 'complimentary'
  /** When it counts in the books. */
  at: number
  /** Cents; negative for what was returned. */
  amount: number
  currency: string
  method: PaymentMethod
  recordedAt: number
}

/** An import of past payments, as long as it can be undone. */
export interface PaymentImportTable {
  id: string
  filename: string
  /** How many it recorded. */
  payments: number
  importedAt: number
  /** Account id of the officer. */
  importedBy: string
  undoneAt: number | null
  undoneBy: string | null
}

/** A payment that an import recorded. */
export interface PaymentImportRowTable {
  paymentId: string
  importId: string
}

/** An import of subscriptions that an earlier system created at the card provider. */
export interface SubscriptionImportTable {
  id: string
  /** How many it was to import. */
  subscriptions: number
  importedAt: number
  /** Account id of the officer. */
  importedBy: string
  undoneAt: number | null
  undoneBy: string | null
}

/** A subscription of an import, with what an undo needs. */
export interface SubscriptionImportRowTable {
  importId: string
  subscriptionId: string
  accountId: string
  /** As reviewed; if the provider says otherwise later, the subscription is not imported. */
  customerId: string
  levelKey: string
  amount: number
  /** `waiting`: not imported yet. `refused`: changed since the review. `undone`: restored by an undo. `kept`: something happened before the undo. */
  state: 'waiting' | 'imported' | 'refused' | 'undone' | 'kept'
  /** Why it was refused or kept. */
  reason: string | null
  membershipId: string | null
  /** What the import changed; null until then. */
  beforeImport: JsonText<BeforeImport> | null
  afterImport: JsonText<AfterImport> | null
  doneAt: number | null
}

/** Which level a name or price of an earlier system is. */
export interface EarlierLevelTable {
  /** The name, normalized; for a price followed by amount, currency and months. */
  earlier: string
  /** null: left out. */
  levelKey: string | null
  chosenAt: number
}

/** A refund of a payment: requested here, then made once at the provider; or recorded as made by hand. */
export interface RefundTable {
  id: string
  kind: PaymentKind
  paymentId: string
  amount: number
  reason: 'cancelled' | 'fewer' | 'no-seat' | 'twice' | 'officer' | 'called-off'
  /** An officer's note. */
  note: string | null
  method: PaymentMethod
  /** The check number of a refund by hand. */
  reference: string | null
  /** An account id, 'guest' or 'system'. */
  askedBy: string
  askedAt: number
  doneAt: number | null
  /** When the provider rejected it: it does not count. */
  refusedAt: number | null
}

/** The statement of a calendar year for a member, emailed once. */
export interface StatementDeliveryTable {
  year: number
  accountId: string
  /** The officer who asked for it. */
  askedBy: string
  askedAt: number
  /** When the email was put into the outbox. */
  queuedAt: number | null
  sentAt: number | null
  /** When it was dropped, because the account was closed or the payments were canceled. */
  skippedAt: number | null
}

/** Payments that an officer recorded together, by the key of the request: the same request twice records them once. */
export interface PaymentBatchTable {
  id: string
  recordedBy: string
  recordedAt: number
  /** In the order of the rows. */
  receipts: JsonText<{ kind: PaymentKind; id: string; receiptNumber: string }[]>
}
