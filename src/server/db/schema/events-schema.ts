import type { RSVP_PLACES } from '#contract/rsvp.ts'
import type { SponsorshipState } from './schema.ts'

/** Events people come to. An event is content and may go away: these rows name it by its id and stay. */

/** What an officer offers to whoever comes. One an event. */
export interface EventOfferTable {
  event_id: string
  is_open: number
  /** Seats; null: as many as like. */
  capacity: number | null
  guests_max: number
  /** JSON: the names of the meals to choose from. */
  meals: string
  closes_on: string | null
  words: string | null
  /** In hundredths of an hour; null: no credit. */
  credit_hundredths: number | null
  /** Cents a person; null: nobody pays. */
  price: number | null
  /** Cents for a member's own seat; null: the same as everybody. */
  member_price: number | null
  /** The last day on which whoever cancels gets the money back; null: never. */
  refund_until: string | null
  /** The most seats that may be given: the capacity, or what was taken when it was lowered. */
  seats_allowed: number | null
  /** Raised by every save: two officers at one form. */
  version: number
  /** Raised by whoever gives seats out: they stand in line at this row. */
  turn: number
  closed_at: number | null
  /** Since when it is known that the event does not take place, and what guests were told; null: it does. */
  called_off_at: number | null
  called_off_words: string | null
  updated_at: number
}

/** Somebody who said something about coming, by the form or at the door. Deleted two years after it was said. */
export interface RsvpTable {
  id: string
  event_id: string
  name: string
  /** null for walk-ins. */
  email: string | null
  /** Lower case; with `event_id` unique, so an address has one RSVP an event. */
  email_key: string | null
  guests: number
  /** JSON: one name a person. */
  meals: string
  place: (typeof RSVP_PLACES)[number]
  /** The order of the waitlist. */
  asked_at: number
  changed_at: number
  is_walk_in: number
  /** Persons who are in; `arrived_at` and `arrived_mark` say by which mark (`check_in`). */
  arrived: number
  arrived_at: number | null
  arrived_mark: string | null
  reminded_at: number | null
  certificate_at: number | null
  /** Cents agreed when it was said; they hold for this party whatever the offer costs later. */
  own_price: number
  guest_price: number
  /** Until when somebody who came off the waitlist may pay; set while `place` is `paying`. */
  pay_by: number | null
}

/** An RSVP whose email address nobody has proven yet: the email's button makes an `rsvp` of it, with the same id. Deleted after a week. */
export interface RsvpRequestTable {
  id: string
  event_id: string
  /** Which mailbox the address leads to: it holds the seats of one request at a time. */
  mailbox_key: string
  email: string
  /** With `event_id` unique. */
  email_key: string
  name: string
  guests: number
  /** JSON: one name a person. */
  meals: string
  /** Cents agreed when it was sent. */
  own_price: number
  guest_price: number
  /** Held until `held_until`; 0 for a place on the waitlist, and once they went back. */
  seats: number
  held_until: number
  asked_at: number
}

/** Seats somebody pays on the provider's hosted page. While it is being made or open it holds `seats`. */
export interface RsvpOrderTable {
  id: string
  event_id: string
  /** Of the event, as it was called then: receipts name it. */
  title: string
  /** The RSVP it pays for; null until one is made of it. */
  rsvp_id: string | null
  /** The party as it is once this is paid. */
  name: string
  email: string
  email_key: string
  guests: number
  meals: string
  /** Seats held by this order besides those its RSVP holds. */
  seats: number
  own_price: number
  guest_price: number
  /** JSON: what the person reads beside each amount. */
  lines: string
  /** Cents. */
  amount: number
  currency: string
  state: SponsorshipState
  /** Event and address while it is being made or open: one at a time. */
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
  /** 1: it became seats. 0: there were none for it, and the money goes back. null until paid. */
  is_seated: number | null
  amount_refunded: number
  refunded_at: number | null
  dispute_state: 'open' | 'won' | 'lost' | null
}

/** Money of an order that goes back: asked for here, then done at the provider, once. */
export interface RsvpRefundTable {
  id: string
  order_id: string
  amount: number
  reason: 'cancelled' | 'fewer' | 'no-seat' | 'twice' | 'officer' | 'called-off'
  /** What an officer wrote about it. */
  words: string | null
  /** An account's id, 'guest' or 'system'. */
  asked_by: string
  asked_at: number
  done_at: number | null
}

/** A mark made at a door, as it was sent: each counts once. */
export interface CheckInTable {
  /** Made by the phone. */
  id: string
  rsvp_id: string
  /** 0 takes a check-in back. */
  arrived: number
  /** By the phone's clock, never later than `received_at`. */
  at: number
  received_at: number
  officer_id: string
}
