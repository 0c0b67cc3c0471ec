import { TERM_UNITS } from '#contract/level-terms.ts'
import { sql } from 'kysely'
import { queryInvariant, type Invariant } from './invariant.ts'

const SYNC = 'Run "npm run admin -- stripe sync"'

export const membershipInvariants: Invariant[] = [
  queryInvariant(
    {
      name: 'one-live-subscription',
      condition: 'A member has at most one subscription that charges.',
      remedy: `${SYNC}, then cancel the older one in the Stripe dashboard and refund what it charged.`,
    },
    () => sql`select account_id as id from membership where stripe_subscription_id is not null and ended_at is null
      and coalesce(stripe_status, '') not in ('canceled', 'incomplete_expired') group by account_id having count(*) > 1`,
  ),
  queryInvariant(
    {
      name: 'no-end-means-lifetime',
      condition: 'A membership without an end is a lifetime membership, and a lifetime membership has no end.',
      remedy: `${SYNC} if it has a subscription; otherwise check its payments with "npm run admin -- members show" and correct ends_at.`,
    },
    () => sql`select id from membership where is_current = 1 and (kind = 'ONE_TIME') <> (ends_at is null)`,
  ),
  queryInvariant(
    {
      name: 'past-membership-has-ended',
      condition: 'Every membership other than the current one has ended.',
      remedy: 'Set ended_at to the start of the next one.',
    },
    () => sql`select id from membership where is_current is null and ended_at is null`,
  ),
  queryInvariant(
    {
      name: 'ends-after-it-began',
      condition: 'A membership does not end before it starts.',
      remedy: `${SYNC}; without a subscription correct ends_at.`,
    },
    () => sql`select id from membership where ends_at < started_at or ended_at < started_at - 86400000`,
  ),
  queryInvariant(
    {
      name: 'subscription-has-status',
      condition: 'A membership has a Stripe status exactly when it has a subscription.',
      remedy: `${SYNC}.`,
    },
    () => sql`select id from membership where (stripe_subscription_id is null) <> (stripe_status is null)`,
  ),
  queryInvariant(
    {
      name: 'lifetime-without-subscription',
      condition: 'A lifetime membership has no subscription that could charge again.',
      remedy: 'Cancel its subscription in the Stripe dashboard and refund what it charged.',
    },
    () => sql`select id from membership where kind = 'ONE_TIME' and stripe_subscription_id is not null`,
  ),
  queryInvariant(
    {
      name: 'membership-has-level',
      condition: 'The level of every membership, payment and order exists.',
      remedy: 'Restore the level in the content and import it; a level that is no longer sold has onSale: false.',
    },
    () => sql`select id from membership where level_key not in (select key from membership_level) union all
      select id from payment where level_key not in (select key from membership_level) union all
      select id from checkout where level_key not in (select key from membership_level)`,
  ),
  queryInvariant(
    {
      name: 'account-has-membership',
      condition: 'Every open account belongs to an officer or has or had a membership.',
      remedy: `${SYNC}; if it paid nothing, check its history with "npm run admin -- members show ID".`,
    },
    () => sql`select a.id from account a where a.deactivated_by is null and a.is_officer = 0
      and not exists (select 1 from membership m where m.account_id = a.id)`,
  ),
  queryInvariant(
    {
      name: 'member-has-present-membership',
      condition: 'Every account that ever had a membership has one marked as current or last.',
      remedy: 'Set is_current to 1 on the newest of them.',
    },
    () => sql`select distinct m.account_id as id from membership m where not exists (
      select 1 from membership c where c.account_id = m.account_id and c.is_current = 1)`,
  ),
  queryInvariant(
    {
      name: 'level-has-price',
      condition: 'Every level has a price of zero or more, a currency and a valid interval.',
      remedy: 'Correct it with "npm run admin -- content export" and "content import".',
    },
    () => sql`select key as id from membership_level where unit_amount < 0 or length(currency) <> 3 or currency <> lower(currency)
      or coalesce("interval", 'year') not in (${sql.join(TERM_UNITS)}) or coalesce(interval_count, 1) < 1`,
  ),
  queryInvariant(
    {
      name: 'reminder-is-closed',
      condition: 'A membership reminder is sent or dropped within a week.',
      remedy: 'Check with "npm run admin -- outbox" whether its email was given up.',
    },
    (now) => sql`select id from membership_reminder where state = 'queued' and queued_at < ${now - 7 * 86_400_000}`,
  ),
  queryInvariant(
    {
      name: 'reminder-has-proof',
      condition: 'A sent reminder records its address and Message-ID.',
      remedy: 'The data cannot be restored; find out what wrote the row.',
    },
    () =>
      sql`select id from membership_reminder where state = 'sent' and (sent_to is null or message_id is null or closed_at is null)`,
  ),
  queryInvariant(
    {
      name: 'decision-has-evidence',
      condition: 'A decision about credentials records who made it, when, and the evidence.',
      remedy: 'Decide again with "npm run admin -- members approve" or "decline".',
    },
    () =>
      sql`select id from credential where status <> 'waiting' and (decided_at is null or decided_by is null or evidence is null)`,
  ),
]
