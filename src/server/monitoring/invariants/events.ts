import { sql } from 'kysely'
import { asked, type Invariant } from './invariant.ts'

const DAY_MS = 86_400_000
/** A refund may fail at the bank for a month. What officers then paid another way is no breach for ever; they had a letter. */
const FAILS_WITHIN_MS = 35 * DAY_MS
/** So long RSVPs are kept; payments outlast them. */
const KEPT_MS = 729 * DAY_MS

export const eventInvariants: Invariant[] = [
  asked(
    {
      name: 'seats-are-not-beyond-capacity',
      sentence: 'No more seats are given and kept than there are, or than were taken when an officer lowered them.',
      cure: 'Open the event under RSVPs in the console: raise its seats, or write to whoever came last.',
    },
    // Walk-ins are let in by whoever stands at the door.
    (now) => sql`select o.event_id as id from event_offer o where o.seats_allowed is not null and o.seats_allowed <
      coalesce((select sum(r.guests + 1) from rsvp r where r.event_id = o.event_id and r.place in ('coming', 'paying') and r.is_walk_in = 0), 0)
      + coalesce((select sum(p.seats) from rsvp_order p where p.event_id = o.event_id and p.state in ('creating', 'open')), 0)
      + coalesce((select sum(q.seats) from rsvp_request q where q.event_id = o.event_id and q.held_until > ${now}), 0)`,
  ),
  asked(
    {
      name: 'seat-is-paid',
      sentence: 'Whoever comes and owes something has paid at least that.',
      cure: 'Compare the party with the Stripe dashboard by its address; "stripe sync" finds what was paid and not heard of.',
    },
    () => sql`select r.id from rsvp r where r.place = 'coming' and r.own_price + r.guest_price * r.guests >
      coalesce((select sum(p.amount) from rsvp_order p where p.rsvp_id = r.id and p.state = 'paid' and p.is_seated = 1), 0)`,
  ),
  asked(
    {
      name: 'paid-has-a-seat',
      sentence: 'Whoever paid for seats has them, or gave them back.',
      cure: 'Look at the party in the door list of its event, and give the money back under Payments if there is no seat.',
    },
    (
      now,
    ) => sql`select p.id from rsvp_order p where p.state = 'paid' and p.is_seated = 1 and p.paid_at > ${now - KEPT_MS} and not exists (
      select 1 from rsvp r where r.id = p.rsvp_id and r.event_id = p.event_id and r.place in ('coming', 'cancelled'))`,
  ),
  asked(
    {
      name: 'paid-without-a-seat-goes-back',
      sentence: 'What was paid when no seats were left goes back whole.',
      cure: 'Give it back in the Stripe dashboard, and write to whoever paid.',
    },
    () => sql`select p.id from rsvp_order p where p.state = 'paid' and p.is_seated = 0 and p.amount_refunded < p.amount and p.amount >
      coalesce((select sum(b.amount) from rsvp_refund b where b.order_id = p.id), 0)`,
  ),
  asked(
    {
      name: 'seat-order-is-whole',
      sentence:
        'An order for seats has a payment, a receipt and an outcome exactly when it is paid, and costs what its lines say.',
      cure: 'Compare it with the Stripe dashboard by its session.',
    },
    () => sql`select id from rsvp_order where (state = 'paid') <> (paid_at is not null) or (state = 'paid') <> (receipt_number is not null)
      or (state = 'paid') <> (is_seated is not null) or (state = 'paid' and payment_reference is null) or amount <= 0 or seats < 0`,
  ),
  asked(
    {
      name: 'refund-of-seats-is-done',
      sentence: 'Money that was to go back for seats is back within five days, and never more than was paid.',
      cure: 'Run "npm run admin -- outbox": what was given up can be tried again there. What failed at the bank is made again by "Refund" under Payments in the console.',
    },
    (now) => sql`select id from rsvp_refund where amount <= 0 or (done_at is null and asked_at < ${now - 5 * DAY_MS})
      union all select p.id from rsvp_order p where p.amount_refunded > p.amount or p.amount < (select sum(b.amount) from rsvp_refund b where b.order_id = p.id)
      union all select p.id from rsvp_order p where (p.dispute_state is null or p.dispute_state <> 'lost') and p.amount_refunded <
        (select sum(b.amount) from rsvp_refund b where b.order_id = p.id and b.done_at is not null)
        and (select max(b.done_at) from rsvp_refund b where b.order_id = p.id) between ${now - FAILS_WITHIN_MS} and ${now - 5 * DAY_MS}`,
  ),
  asked(
    {
      name: 'paying-has-a-deadline',
      sentence: 'Seats off the waitlist are kept for two days while they are paid, not longer.',
      cure: 'Start the site: it looks every minute. Then see the log for "could not be settled".',
    },
    (now) => sql`select id from rsvp where (place = 'paying') <> (pay_by is not null) or pay_by < ${now - DAY_MS}`,
  ),
]
