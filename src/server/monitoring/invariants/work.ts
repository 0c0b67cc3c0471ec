import { sql } from 'kysely'
import { queryInvariant, type Invariant } from './invariant.ts'

const DAY_MS = 86_400_000

export const workInvariants: Invariant[] = [
  queryInvariant(
    {
      name: 'effect-is-done-or-given-up',
      condition: 'An email or call is done or given up, never both.',
      remedy: 'Set dead_at to null where it is done.',
    },
    () => sql`select id from outbox where done_at is not null and dead_at is not null`,
  ),
  queryInvariant(
    {
      name: 'effect-is-taken-up',
      condition: 'Work that is due, or was abandoned by a killed process, starts within a day.',
      remedy: 'Start the site. If it is running, search its log for "job failed" or "outbox could not be read".',
    },
    (now) => sql`select id from outbox where done_at is null and dead_at is null and due_at < ${now - DAY_MS}
      and coalesce(leased_until, 0) < ${now - DAY_MS}`,
  ),
  queryInvariant(
    {
      name: 'effect-is-not-far-off',
      condition: 'No work is postponed for more than a hundred days.',
      remedy: 'The clock was wrong when it was queued: run "npm run admin -- outbox" and set due_at to now.',
    },
    (now) => sql`select id from outbox where done_at is null and dead_at is null and due_at > ${now + 100 * DAY_MS}`,
  ),
  queryInvariant(
    {
      name: 'import-is-finished',
      condition: 'A confirmed import of members is finished within a day.',
      remedy: 'Start the site, and check with "npm run admin -- outbox" whether "members.import" was given up.',
    },
    (now) => sql`select id from import_file where state = 'running' and confirmed_at < ${now - DAY_MS}
      or (state = 'done') <> (finished_at is not null) or (state = 'checked') <> (confirmed_at is null)`,
  ),
  queryInvariant(
    {
      name: 'job-comes-round',
      condition: 'Every job is due within two days.',
      remedy: 'The clock was wrong when it was scheduled: set due_at of that job to 0.',
    },
    (now) => sql`select name as id from job where due_at > ${now + 2 * DAY_MS} or leased_until > ${now + DAY_MS}`,
  ),
  queryInvariant(
    {
      name: 'limit-ends',
      condition: 'No rate limit lasts longer than a day.',
      remedy: 'The clock was wrong when it was counted: delete that row in rate_limit.',
    },
    (now) => sql`select key as id from rate_limit where window_ends_at > ${now + DAY_MS + 3_600_000}`,
  ),
  queryInvariant(
    {
      name: 'nothing-happened-tomorrow',
      condition: 'No event is recorded in the future.',
      remedy: 'The clock of the server was or is wrong: see /readyz. These rows sort before newer ones.',
    },
    (now) => {
      const limit = now + DAY_MS
      return sql`select id from account where created_at > ${limit} union all
        select id from session where created_at > ${limit} union all
        select id from membership where started_at > ${limit} union all
        select id from payment where recorded_at > ${limit} union all
        select id from stripe_event where received_at > ${limit} union all
        select id from contact_message where received_at > ${limit} union all
        select id from outbox where created_at > ${limit} union all
        select id from audit where at > ${limit}`
    },
  ),
]
