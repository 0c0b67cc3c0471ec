import { sql } from 'kysely'
import { queryInvariant, type Invariant } from './invariant.ts'

const DAY_MS = 86_400_000
/** A refund may fail at the bank for a month. Once officers have paid another way the record would stay a violation forever; they were alerted by email. */
const REFUND_FAILURE_WINDOW_MS = 35 * DAY_MS
/** RSVPs are deleted after this; payments are kept longer. */
const RSVP_RETENTION_MS = 729 * DAY_MS

export const eventInvariants: Invariant[] = [
  queryInvariant(
    {
      name: 'seats-are-not-beyond-capacity',
      condition: 'Taken and held seats never exceed the capacity, or the seats taken when an officer lowered it.',
      remedy:
        'Open the event under RSVPs in the console: raise the capacity, or contact the guests who signed up last.',
    },
    // Walk-ins are excluded: they may exceed the capacity.
    (now) => sql`select o.event_id as id from rsvp_settings o where o.seats_allowed is not null and o.seats_allowed <
      coalesce((select sum(r.guests + 1) from rsvp r where r.event_id = o.event_id and r.status in ('coming', 'paying') and r.is_walk_in = 0), 0)
      + coalesce((select sum(p.seats) from rsvp_order p where p.event_id = o.event_id and p.state in ('creating', 'open')), 0)
      + coalesce((select sum(q.seats) from rsvp_request q where q.event_id = o.event_id and q.held_until > ${now}), 0)`,
  ),
  queryInvariant(
    {
      name: 'seat-is-paid',
      condition: 'Every guest with a paid seat has paid at least its price.',
      remedy:
        'Compare the party with the Stripe dashboard by its address; "stripe sync" finds payments that were not reported.',
    },
    () => sql`select r.id from rsvp r where r.status = 'coming' and r.own_price + r.guest_price * r.guests >
      coalesce((select sum(p.amount) from rsvp_order p where p.rsvp_id = r.id and p.state = 'paid' and p.is_seated = 1), 0)`,
  ),
  queryInvariant(
    {
      name: 'paid-has-a-seat',
      condition: 'Every paid order has its seats, or they were canceled.',
      remedy: 'Find the party in the check-in list of its event, and refund it under Payments if there is no seat.',
    },
    (
      now,
    ) => sql`select p.id from rsvp_order p where p.state = 'paid' and p.is_seated = 1 and p.paid_at > ${now - RSVP_RETENTION_MS} and not exists (
      select 1 from rsvp r where r.id = p.rsvp_id and r.event_id = p.event_id and r.status in ('coming', 'cancelled'))`,
  ),
  queryInvariant(
    {
      name: 'paid-without-a-seat-goes-back',
      condition: 'A payment that arrived when no seats were left is refunded in full.',
      remedy: 'Refund it in the Stripe dashboard, and email the payer.',
    },
    () => sql`select p.id from rsvp_order p where p.state = 'paid' and p.is_seated = 0 and p.amount_refunded < p.amount and p.amount >
      coalesce((select sum(b.amount) from refund b where b.payment_id = p.id), 0)`,
  ),
  queryInvariant(
    {
      name: 'seat-order-is-whole',
      condition:
        'A seat order has a payment, a receipt and an outcome exactly when it is paid, and has a positive amount.',
      remedy: 'Compare it with the Stripe dashboard by its session.',
    },
    () => sql`select id from rsvp_order where (state = 'paid') <> (paid_at is not null) or (state = 'paid') <> (receipt_number is not null)
      or (state = 'paid') <> (is_seated is not null) or (state = 'paid' and (payment_reference is null) = (recorded_at is null)) or amount <= 0 or seats < 0`,
  ),
  queryInvariant(
    {
      name: 'refund-of-seats-is-done',
      condition: 'Refunds of seats complete within five days and never exceed the payment.',
      remedy:
        'Run "npm run admin -- outbox" to retry failed effects. For a refund that failed at the bank, choose "Refund" under Payments in the console.',
    },
    (
      now,
    ) => sql`select id from refund where amount <= 0 or (done_at is null and refused_at is null and method = 'card' and asked_at < ${now - 5 * DAY_MS})
      union all select p.id from rsvp_order p where p.amount_refunded > p.amount or p.amount < (select sum(b.amount) from refund b where b.payment_id = p.id and b.refused_at is null)
      union all select p.id from rsvp_order p where (p.dispute_state is null or p.dispute_state <> 'lost') and p.amount_refunded <
        (select sum(b.amount) from refund b where b.payment_id = p.id and b.done_at is not null)
        and (select max(b.done_at) from refund b where b.payment_id = p.id) between ${now - REFUND_FAILURE_WINDOW_MS} and ${now - 5 * DAY_MS}`,
  ),
  queryInvariant(
    {
      name: 'paying-has-a-deadline',
      condition: 'Seats offered from the waitlist are held for two days until they are paid, not longer.',
      remedy: 'Start the site: it checks every minute. Then search the log for "could not be completed".',
    },
    (now) => sql`select id from rsvp where (status = 'paying') <> (pay_by is not null) or pay_by < ${now - DAY_MS}`,
  ),
]
