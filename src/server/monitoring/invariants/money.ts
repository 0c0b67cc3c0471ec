import { sql } from 'kysely'
import { queryInvariant, type Invariant } from './invariant.ts'

const DAY_MS = 86_400_000
const SYNC = 'Run "npm run admin -- stripe sync"'

export const moneyInvariants: Invariant[] = [
  queryInvariant(
    {
      name: 'ledger-is-what-is-kept',
      condition: 'The ledger entries of a payment add up to what is kept of it.',
      remedy: 'Compare the payment with its entries on its page under Payments, and tell the developers.',
    },
    () => sql`select p.id from (
        select id, case when voided_at is not null or dispute_state = 'lost' then 0 else amount - amount_refunded end as kept from payment
        union all select id, case when voided_at is not null or dispute_state = 'lost' then 0 else amount - amount_refunded end
          from rsvp_order where state = 'paid'
        union all select id, case when voided_at is not null or dispute_state = 'lost' then 0 else amount - amount_refunded end
          from sponsorship where state = 'paid') p
      left join (select payment_id, sum(amount) as kept from ledger_entry group by payment_id) e on e.payment_id = p.id
      where e.payment_id is null or e.kept <> p.kept`,
  ),
  queryInvariant(
    {
      name: 'payment-has-order',
      condition: 'A payment made at our checkout belongs to a completed order.',
      remedy: 'Compare it with the Stripe dashboard by its reference before changing anything.',
    },
    () => sql`select p.id from payment p where p.checkout_id is not null and not exists (
        select 1 from checkout c where c.id = p.checkout_id and c.state = 'completed')
      union all select id from payment where checkout_id is null and purpose = 'start' and payment_intent_id is not null`,
  ),
  queryInvariant(
    {
      name: 'order-has-payment',
      condition: 'Every completed order has a payment.',
      remedy: `${SYNC}, and compare the order with the Stripe dashboard.`,
    },
    () =>
      sql`select c.id from checkout c where c.state = 'completed' and not exists (select 1 from payment p where p.checkout_id = c.id)`,
  ),
  queryInvariant(
    {
      name: 'payment-is-the-price',
      condition: 'The amount paid matches the order.',
      remedy: 'Compare it with the Stripe dashboard; the receipt names the wrong amount.',
    },
    () =>
      sql`select p.id from payment p join checkout c on c.id = p.checkout_id where p.amount + p.discount <> c.amount or p.currency <> c.currency`,
  ),
  queryInvariant(
    {
      name: 'returned-is-part-of-paid',
      condition: 'Amounts are not negative, and refunds do not exceed payments.',
      remedy: `${SYNC}, and compare the payment with the Stripe dashboard.`,
    },
    () => sql`select id from payment where amount < 0 or discount < 0 or (discount > 0) <> (coupon_code is not null) or amount_refunded < 0 or amount_refunded > amount
      or (amount_refunded > 0) <> (refunded_at is not null)
      union all select id from checkout where amount < 0 or credit < 0
      union all select id from sponsorship where amount <= 0 or amount_refunded < 0 or amount_refunded > amount or (amount_refunded > 0) <> (refunded_at is not null)`,
  ),
  queryInvariant(
    {
      name: 'credit-is-part-of-paid',
      condition: 'Credits taken from a payment do not exceed the payment.',
      remedy: 'Review both payments on the page of the member; an amount credited twice is owed.',
    },
    () => sql`select payment_id as id from payment_credit join payment p on p.id = payment_id
      where taken_at is not null and released_at is null group by payment_id, p.amount having sum(payment_credit.amount) > p.amount
      union all select payment_id as id from payment_credit where amount <= 0`,
  ),
  queryInvariant(
    {
      name: 'canceled-payment-is-explained',
      condition:
        'A voided payment records who voided it and why, and was not a card payment; only a voided one is replaced.',
      remedy: 'Check the history of the member for payment.voided and payment.corrected, and complete the row.',
    },
    () => sql`select id from payment where (voided_at is null) <> (voided_by is null) or (voided_at is null) <> (void_reason is null)
      or (voided_at is not null and payment_intent_id is not null)
      union all select n.id from payment n left join payment o on o.id = n.replaces_id where n.replaces_id is not null and o.voided_at is null`,
  ),
  queryInvariant(
    {
      name: 'receipt-names-its-payment',
      // Derived from the id of the paid record: there is no counter, so there are no gaps to check.
      condition: 'A receipt number is derived from its payment, and is unique.',
      remedy: 'Do not change a number that was sent; record both payments for accounting.',
    },
    () => sql`select id from payment where receipt_number not like 'R-____-%' or substr(receipt_number, 8) <> upper(substr(id, length(id) - 7))
      union all select id from sponsorship where receipt_number is not null and substr(receipt_number, 8) <> upper(substr(id, length(id) - 7))
      union all select id from rsvp_order where receipt_number is not null and substr(receipt_number, 8) <> upper(substr(id, length(id) - 7))
      union all select s.id from sponsorship s join payment p on p.receipt_number = s.receipt_number
      union all select o.id from rsvp_order o join payment p on p.receipt_number = o.receipt_number`,
  ),
  queryInvariant(
    {
      name: 'open-order-holds-its-key',
      condition:
        'An order that is open or being created holds the key that prevents a second order; no other order does.',
      remedy: `${SYNC}; a stale key prevents that person from paying: set open_key to null.`,
    },
    () => sql`select id from checkout where (state in ('creating', 'open')) <> (open_key is not null) or open_key <> person_id
      union all select id from sponsorship where open_key is not null and state not in ('creating', 'open')
      union all select id from rsvp_order where (state in ('creating', 'open')) <> (open_key is not null) or open_key <> event_id || ' ' || email_key`,
  ),
  queryInvariant(
    {
      name: 'open-order-is-followed',
      condition: 'An order is closed within two days, since the hosted page expires after one.',
      remedy:
        'Start the site: it queries the card provider every 15 minutes. Then search the log for "could not be reconciled".',
    },
    (now) => sql`select id from checkout where state in ('creating', 'open') and expires_at < ${now - 2 * DAY_MS}
      union all select id from sponsorship where state in ('creating', 'open') and expires_at < ${now - 2 * DAY_MS}
      union all select id from rsvp_order where state in ('creating', 'open') and expires_at < ${now - 2 * DAY_MS}`,
  ),
  queryInvariant(
    {
      name: 'sponsorship-is-whole',
      condition: 'A sponsorship has a payment date and a receipt exactly when it is paid.',
      remedy: 'Compare it with the Stripe dashboard by its session.',
    },
    () =>
      sql`select id from sponsorship where (state = 'paid') <> (paid_at is not null) or (state = 'paid') <> (receipt_number is not null)`,
  ),
  queryInvariant(
    {
      name: 'webhook-event-is-handled',
      condition: 'A webhook event is handled within five days.',
      remedy: 'Run "npm run admin -- stripe replay ID"; "outbox" shows why it was given up.',
    },
    (now) => sql`select id from stripe_event where done_at is null and received_at < ${now - 5 * DAY_MS}`,
  ),
]
