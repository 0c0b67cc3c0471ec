import type { RSVP_PLACES } from '#contract/rsvp.ts'

/** Events people come to (issue 8, 8). An event is content and may go away: these rows name it by its id and stay. */

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
  /** Raised by every save: two officers at one form. */
  version: number
  /** Raised by whoever gives seats out: they stand in line at this row. */
  turn: number
  closed_at: number | null
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
