import type { RSVP_STATUSES } from '#contract/public/rsvp.ts'
import type { SponsorshipState } from './schema.ts'

/** RSVPs, seats and check-in. An event is content and may be deleted: these rows reference it by id and stay. */

/** The RSVP settings of an event; one row per event. */
export interface RsvpSettingsTable {
  event_id: string
  is_open: number
  /** Number of seats; null: unlimited. */
  capacity: number | null
  guests_max: number
  /** JSON: names of the meals to choose from. */
  meals: string
  closes_on: string | null
  text: string | null
  /** Hundredths of a credit hour; null: no credit. */
  credit_hundredths: number | null
  /** Cents per person; null: free. */
  price: number | null
  /** Cents for a member's own seat; null: the regular price. */
  member_price: number | null
  /** Last day on which a cancellation is refunded; null: never. */
  refund_until: string | null
  /** Maximum number of seats to allocate: the capacity, or the seats taken when it was lowered. */
  seats_allowed: number | null
  /** Incremented by every save; detects concurrent edits. */
  version: number
  /** Incremented when seats are allocated: updating it takes the row lock that serializes allocation. */
  turn: number
  closed_at: number | null
  /** When the event was canceled, and the message to guests; null: not canceled. */
  canceled_at: number | null
  cancellation_note: string | null
  updated_at: number
}

/** An RSVP, made by form or at check-in. Deleted after two years. */
export interface RsvpTable {
  id: string
  event_id: string
  name: string
  /** null for walk-ins. */
  email: string | null
  /** Lower case; unique with `event_id`, so an address has one RSVP per event. */
  email_key: string | null
  guests: number
  /** JSON: one meal per person. */
  meals: string
  status: (typeof RSVP_STATUSES)[number]
  /** Determines the order of the waitlist. */
  asked_at: number
  changed_at: number
  is_walk_in: number
  /** Number of persons checked in; `arrived_at` and `arrived_mark` refer to the `check_in`. */
  arrived: number
  arrived_at: number | null
  arrived_mark: string | null
  reminded_at: number | null
  certificate_at: number | null
  /** Cents agreed at RSVP time; later price changes do not affect this party. */
  own_price: number
  guest_price: number
  /** Payment deadline of a party promoted from the waitlist; set while `status` is `paying`. */
  pay_by: number | null
}

/** An RSVP with an unconfirmed email address: the button in the email turns it into an `rsvp` with the same id. Deleted after a week. */
export interface RsvpRequestTable {
  id: string
  event_id: string
  /** The mailbox behind the address: one request at a time may hold seats for it. */
  mailbox_key: string
  email: string
  /** Unique with `event_id`. */
  email_key: string
  name: string
  guests: number
  /** JSON: one meal per person. */
  meals: string
  /** Cents agreed when it was sent. */
  own_price: number
  guest_price: number
  /** Held until `held_until`; 0 for the waitlist, and after the seats were released. */
  seats: number
  held_until: number
  asked_at: number
}

/** An order for seats, paid on the provider's hosted page. Holds `seats` while open or being created. */
export interface RsvpOrderTable {
  id: string
  event_id: string
  /** The event's title at the time of the order, for receipts. */
  title: string
  /** The RSVP it pays for; null until the RSVP exists. */
  rsvp_id: string | null
  /** The party once this order is paid. */
  name: string
  email: string
  email_key: string
  guests: number
  meals: string
  /** Seats held in addition to those of the RSVP. */
  seats: number
  own_price: number
  guest_price: number
  /** JSON: line items with descriptions and amounts. */
  lines: string
  /** Cents. */
  amount: number
  currency: string
  state: SponsorshipState
  /** Event and address while open or being created, else null: unique, so there is one order at a time. */
  open_key: string | null
  attempt: number
  leased_until: number | null
  stripe_session_id: string | null
  url: string | null
  nonce_hash: string
  created_at: number
  expires_at: number
  checked_at: number
  paid_at: number | null
  /** The payment intent. */
  payment_reference: string | null
  receipt_number: string | null
  /** 1: seats were allocated. 0: none were left, and the payment is refunded. null until paid. */
  is_seated: number | null
  amount_refunded: number
  refunded_at: number | null
  dispute_state: 'open' | 'won' | 'lost' | null
}

/** A refund of an order: requested here, then made once at the provider. */
export interface RsvpRefundTable {
  id: string
  order_id: string
  amount: number
  reason: 'cancelled' | 'fewer' | 'no-seat' | 'twice' | 'officer' | 'called-off'
  /** An officer's note. */
  note: string | null
  /** An account id, 'guest' or 'system'. */
  asked_by: string
  asked_at: number
  done_at: number | null
}

/** A check-in as sent by a phone; each is applied once. */
export interface CheckInTable {
  /** Generated by the phone. */
  id: string
  rsvp_id: string
  /** 0 undoes a check-in. */
  arrived: number
  /** By the phone's clock, never later than `received_at`. */
  at: number
  received_at: number
  officer_id: string
}
