import type { GuestAudience } from '#contract/console/events/events.ts'
import type { TicketKind } from '#contract/console/rsvp.ts'
import type { RSVP_STATUSES } from '#contract/public/rsvp.ts'
import type { PartyTicket } from '#contract/tickets/tickets.ts'
import type { JsonText } from './column-values.ts'
import type { OrderColumns, OrderPaymentColumns, PaidOrderState } from './order-schema.ts'

/** RSVPs, seats and check-in. An event is content and may be deleted: these rows reference it by id and stay. */

/** The RSVP settings of an event; one row per event. */
export interface RsvpSettingsTable {
  eventId: string
  isOpen: number
  /** Number of seats; null: unlimited. */
  capacity: number | null
  guestsMax: number
  /** Names of the meals to choose from. */
  meals: JsonText<string[]>
  closesOn: string | null
  text: string | null
  /** Hundredths of a credit hour; null: no credit. */
  creditHundredths: number | null
  /** Cents per person; null: free. */
  price: number | null
  /** Cents for a member's own seat; null: the regular price. */
  memberPrice: number | null
  /** Kinds of tickets; empty: seats only. With kinds, `price` and `member_price` are null. */
  kinds: JsonText<TicketKind[]>
  /** Last day on which a cancellation is refunded; null: never. */
  refundUntil: string | null
  /** Maximum number of seats to allocate: the capacity, or the seats taken when it was lowered. */
  seatsAllowed: number | null
  /** Incremented by every save; detects concurrent edits. */
  version: number
  /** Incremented when seats are allocated: updating it takes the row lock that serializes allocation. */
  turn: number
  closedAt: number | null
  /** When the event was canceled, and the message to guests; null: not canceled. */
  canceledAt: number | null
  cancellationNote: string | null
  /** What the confirmation and the reminder also say; null: nothing. */
  confirmationNote: string | null
  reminderNote: string | null
  updatedAt: number
}

/** An RSVP, made by form or at check-in. Deleted after two years. */
export interface RsvpTable {
  id: string
  eventId: string
  name: string
  /** null for walk-ins. */
  email: string | null
  /** Lower case; unique with `event_id`, so an address has one RSVP per event. */
  emailKey: string | null
  guests: number
  /** One meal per person. */
  meals: JsonText<string[]>
  status: (typeof RSVP_STATUSES)[number]
  /** Determines the order of the waitlist. */
  askedAt: number
  changedAt: number
  isWalkIn: number
  /** Number of persons checked in; `arrived_at` and `arrived_mark` refer to the `check_in`. */
  arrived: number
  arrivedAt: number | null
  arrivedMark: string | null
  remindedAt: number | null
  certificateAt: number | null
  /** Cents agreed at RSVP time; later price changes do not affect this party. */
  ownPrice: number
  guestPrice: number
  /** The tickets as agreed; empty: seats, at the two prices above. They decide `guests`. */
  tickets: JsonText<PartyTicket[]>
  /** Payment deadline of a party promoted from the waitlist; set while `status` is `paying`. */
  payBy: number | null
}

/** A message of an officer to guests of an event. */
export interface GuestMessageTable {
  /** Made in the browser: sending it again is a no-op. */
  id: string
  eventId: string
  audiences: JsonText<GuestAudience[]>
  subject: string
  text: string
  sentBy: string
  sentAt: number
}

/** The copy of a message for one party. */
export interface GuestMessageCopyTable {
  messageId: string
  rsvpId: string
  /** When the mail server accepted it; null until then. */
  acceptedAt: number | null
}

/** An RSVP with an unconfirmed email address: the button in the email turns it into an `rsvp` with the same id. Deleted after a week. */
export interface RsvpRequestTable {
  id: string
  eventId: string
  /** The mailbox behind the address: one request at a time may hold seats for it. */
  mailboxKey: string
  email: string
  /** Unique with `event_id`. */
  emailKey: string
  name: string
  guests: number
  /** One meal per person. */
  meals: JsonText<string[]>
  /** Cents agreed when it was sent. */
  ownPrice: number
  guestPrice: number
  tickets: JsonText<PartyTicket[]>
  /** Held until `held_until`; 0 for the waitlist, and after the seats were released. */
  seats: number
  heldUntil: number
  askedAt: number
}

/** An order for seats, paid on the provider's hosted page. Holds `seats` while open or being created. */
export interface RsvpOrderTable extends OrderColumns<PaidOrderState>, OrderPaymentColumns {
  eventId: string
  /** The event's title at the time of the order, for receipts. */
  title: string
  /** The RSVP it pays for; null until the RSVP exists. */
  rsvpId: string | null
  /** The party once this order is paid. */
  name: string
  email: string
  emailKey: string
  guests: number
  meals: string
  /** Seats held in addition to those of the RSVP. */
  seats: number
  ownPrice: number
  guestPrice: number
  /** JSON: the tickets once this order is paid, and those of its RSVP before; it holds the difference. */
  tickets: string
  baseTickets: string
  /** JSON: line items with descriptions and amounts. */
  lines: string
  /** 1: seats were allocated. 0: none were left, and the payment is refunded. null until paid. */
  isSeated: number | null
}

/** A check-in as sent by a phone; each is applied once. */
export interface CheckInTable {
  /** Generated by the phone. */
  id: string
  rsvpId: string
  /** 0 undoes a check-in. */
  arrived: number
  /** By the phone's clock, never later than `received_at`. */
  at: number
  receivedAt: number
  officerId: string
}

/** A member's answer that they cannot come to an event, without an RSVP. Deleted after two years. */
export interface DeclinedEventTable {
  accountId: string
  eventId: string
  declinedAt: number
}
