import { sql } from 'kysely'
import { asked, type Invariant } from './invariant.ts'

const SYNC = 'Run "npm run admin -- stripe sync"'

export const membershipInvariants: Invariant[] = [
  asked(
    {
      name: 'one-live-subscription',
      sentence: 'A member has at most one subscription that charges.',
      cure: `${SYNC}, then end the older one in the Stripe dashboard and give back what it charged.`,
    },
    () => sql`select account_id as id from membership where stripe_subscription_id is not null and ended_at is null
      and coalesce(stripe_status, '') not in ('canceled', 'incomplete_expired') group by account_id having count(*) > 1`,
  ),
  asked(
    {
      name: 'no-end-means-lifetime',
      sentence: 'A membership without an end is a lifetime membership, and a lifetime membership has no end.',
      cure: `${SYNC} when it has a subscription; else look with "npm run admin -- members show" what it paid for and correct ends_at.`,
    },
    () => sql`select id from membership where is_current = 1 and (kind = 'ONE_TIME') <> (ends_at is null)`,
  ),
  asked(
    {
      name: 'past-membership-has-ended',
      sentence: 'Every membership that is not the present one has ended.',
      cure: 'Set ended_at to when the next one began.',
    },
    () => sql`select id from membership where is_current is null and ended_at is null`,
  ),
  asked(
    {
      name: 'ends-after-it-began',
      sentence: 'A membership does not end before it began.',
      cure: `${SYNC}; without a subscription correct ends_at.`,
    },
    () => sql`select id from membership where ends_at < started_at or ended_at < started_at - 86400000`,
  ),
  asked(
    {
      name: 'subscription-has-status',
      sentence: 'What Stripe says of a membership is known exactly when it has a subscription.',
      cure: `${SYNC}.`,
    },
    () => sql`select id from membership where (stripe_subscription_id is null) <> (stripe_status is null)`,
  ),
  asked(
    {
      name: 'lifetime-without-subscription',
      sentence: 'A lifetime membership is not charged for again.',
      cure: 'End its subscription in the Stripe dashboard and give back what it charged.',
    },
    () => sql`select id from membership where kind = 'ONE_TIME' and stripe_subscription_id is not null`,
  ),
  asked(
    {
      name: 'membership-has-level',
      sentence: 'The level of every membership, payment, and order exists.',
      cure: 'Take the level back into content/levels.yaml and import it; one that is no longer sold has onSale: false.',
    },
    () => sql`select id from membership where level_key not in (select key from membership_level) union all
      select id from payment where level_key not in (select key from membership_level) union all
      select id from checkout where level_key not in (select key from membership_level)`,
  ),
  asked(
    {
      name: 'account-has-membership',
      sentence: 'Everybody with an open account is an officer or has or had a membership.',
      cure: `${SYNC}; if it paid nothing, look at its history with "npm run admin -- members show ID".`,
    },
    () => sql`select a.id from account a where a.deactivated_by is null and a.is_officer = 0
      and not exists (select 1 from membership m where m.account_id = a.id)`,
  ),
  asked(
    {
      name: 'member-has-present-membership',
      sentence: 'Whoever ever had a membership has one that counts as the present or last one.',
      cure: 'Set is_current to 1 on the newest of them.',
    },
    () => sql`select distinct m.account_id as id from membership m where not exists (
      select 1 from membership c where c.account_id = m.account_id and c.is_current = 1)`,
  ),
  asked(
    {
      name: 'level-has-price',
      sentence: 'A level costs nothing or something, in a currency, once or every so often.',
      cure: 'Correct it with "npm run admin -- content export" and "content import".',
    },
    () => sql`select key as id from membership_level where unit_amount < 0 or length(currency) <> 3 or currency <> lower(currency)
      or coalesce("interval", 'year') not in ('year', 'month') or coalesce(interval_count, 1) < 1`,
  ),
  asked(
    {
      name: 'notice-is-settled',
      sentence: 'What a member is told is sent or dropped within a week.',
      cure: 'See in "npm run admin -- outbox" whether its letter was given up.',
    },
    (now) => sql`select id from membership_notice where state = 'queued' and queued_at < ${now - 7 * 86_400_000}`,
  ),
  asked(
    {
      name: 'notice-has-proof',
      sentence: 'A notice that was sent says to which address and under which Message-ID.',
      cure: 'Nothing can be restored; find out what wrote the row.',
    },
    () =>
      sql`select id from membership_notice where state = 'sent' and (sent_to is null or message_id is null or settled_at is null)`,
  ),
  asked(
    {
      name: 'decision-has-evidence',
      sentence: 'A decision about credentials says who made it, when, and what was looked at.',
      cure: 'Decide again with "npm run admin -- members approve" or "decline".',
    },
    () =>
      sql`select id from credential where status <> 'waiting' and (decided_at is null or decided_by is null or evidence is null)`,
  ),
]
