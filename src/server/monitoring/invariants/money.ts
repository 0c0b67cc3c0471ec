import { sql } from 'kysely'
import { asked, type Invariant } from './invariant.ts'

const DAY_MS = 86_400_000
const SYNC = 'Run "npm run admin -- stripe sync"'

export const moneyInvariants: Invariant[] = [
  asked(
    {
      name: 'payment-has-order',
      sentence: 'A payment made at our checkout belongs to an order that was completed.',
      cure: 'Compare it with the Stripe dashboard by its reference before anything is changed.',
    },
    () => sql`select p.id from payment p where p.checkout_id is not null and not exists (
        select 1 from checkout c where c.id = p.checkout_id and c.state = 'completed')
      union all select id from payment where checkout_id is null and purpose = 'start' and payment_intent_id is not null`,
  ),
  asked(
    {
      name: 'order-has-payment',
      sentence: 'Every completed order has its payment.',
      cure: `${SYNC}, and compare the order with the Stripe dashboard.`,
    },
    () =>
      sql`select c.id from checkout c where c.state = 'completed' and not exists (select 1 from payment p where p.checkout_id = c.id)`,
  ),
  asked(
    {
      name: 'payment-is-the-price',
      sentence: 'What was paid is what was ordered.',
      cure: 'Compare it with the Stripe dashboard; the receipt names the wrong amount.',
    },
    () =>
      sql`select p.id from payment p join checkout c on c.id = p.checkout_id where p.amount + p.discount <> c.amount or p.currency <> c.currency`,
  ),
  asked(
    {
      name: 'returned-is-part-of-paid',
      sentence: 'Amounts are not negative, and no more went back than was paid.',
      cure: `${SYNC}, and compare the payment with the Stripe dashboard.`,
    },
    () => sql`select id from payment where amount < 0 or discount < 0 or (discount > 0) <> (coupon_code is not null) or amount_refunded < 0 or amount_refunded > amount
      or (amount_refunded > 0) <> (refunded_at is not null)
      union all select id from checkout where amount < 0 or credit < 0
      union all select id from sponsorship where amount <= 0 or amount_refunded < 0 or amount_refunded > amount or (amount_refunded > 0) <> (refunded_at is not null)`,
  ),
  asked(
    {
      name: 'credit-is-part-of-paid',
      sentence: 'No more of a payment was credited toward other memberships than was paid.',
      cure: 'Look at both payments on the page of the member; what was credited twice is owed.',
    },
    () => sql`select payment_id as id from payment_credit join payment p on p.id = payment_id
      where taken_at is not null and released_at is null group by payment_id, p.amount having sum(payment_credit.amount) > p.amount
      union all select payment_id as id from payment_credit where amount <= 0`,
  ),
  asked(
    {
      name: 'canceled-payment-is-explained',
      sentence:
        'A payment whose record was canceled says by whom and why, and was no card payment; only a canceled one is replaced.',
      cure: 'See the history of the member for payment.voided and payment.corrected, and complete the row.',
    },
    () => sql`select id from payment where (voided_at is null) <> (voided_by is null) or (voided_at is null) <> (void_reason is null)
      or (voided_at is not null and payment_intent_id is not null)
      union all select n.id from payment n left join payment o on o.id = n.replaces_id where n.replaces_id is not null and o.voided_at is null`,
  ),
  asked(
    {
      name: 'receipt-names-its-payment',
      // Made from the id of what was paid: there is no counter, so there are no gaps to look for.
      sentence: 'The number of a receipt is made from its payment, and no two are alike.',
      cure: 'Do not change a number that was sent; note the two payments for the books.',
    },
    () => sql`select id from payment where receipt_number not like 'R-____-%' or substr(receipt_number, 8) <> upper(substr(id, length(id) - 7))
      union all select id from sponsorship where receipt_number is not null and substr(receipt_number, 8) <> upper(substr(id, length(id) - 7))
      union all select id from rsvp_order where receipt_number is not null and substr(receipt_number, 8) <> upper(substr(id, length(id) - 7))
      union all select s.id from sponsorship s join payment p on p.receipt_number = s.receipt_number
      union all select o.id from rsvp_order o join payment p on p.receipt_number = o.receipt_number`,
  ),
  asked(
    {
      name: 'open-order-holds-its-key',
      sentence: 'An order that is being made or open holds the key that keeps a second one away; no other order does.',
      cure: `${SYNC}; a key that is held in vain keeps its person from paying: set open_key to null.`,
    },
    () => sql`select id from checkout where (state in ('creating', 'open')) <> (open_key is not null) or open_key <> person_id
      union all select id from sponsorship where open_key is not null and state not in ('creating', 'open')
      union all select id from rsvp_order where (state in ('creating', 'open')) <> (open_key is not null) or open_key <> event_id || ' ' || email_key`,
  ),
  asked(
    {
      name: 'open-order-is-followed',
      sentence: 'An order is settled within two days, since the hosted page ends after one.',
      cure: 'Start the site: it asks the card provider every 15 minutes. Then see the log for "could not be reconciled".',
    },
    (now) => sql`select id from checkout where state in ('creating', 'open') and expires_at < ${now - 2 * DAY_MS}
      union all select id from sponsorship where state in ('creating', 'open') and expires_at < ${now - 2 * DAY_MS}
      union all select id from rsvp_order where state in ('creating', 'open') and expires_at < ${now - 2 * DAY_MS}`,
  ),
  asked(
    {
      name: 'sponsorship-is-whole',
      sentence: 'A sponsorship has a day of payment and a receipt exactly when it is paid.',
      cure: 'Compare it with the Stripe dashboard by its session.',
    },
    () =>
      sql`select id from sponsorship where (state = 'paid') <> (paid_at is not null) or (state = 'paid') <> (receipt_number is not null)`,
  ),
  asked(
    {
      name: 'notice-of-stripe-is-handled',
      sentence: 'A notice of Stripe is handled within five days.',
      cure: 'Run "npm run admin -- stripe replay ID"; "outbox" says why it was given up.',
    },
    (now) => sql`select id from stripe_event where done_at is null and received_at < ${now - 5 * DAY_MS}`,
  ),
]
