import { sql } from 'kysely'
import { asked, type Invariant } from './invariant.ts'

const DAY_MS = 86_400_000

export const workInvariants: Invariant[] = [
  asked(
    {
      name: 'effect-is-done-or-given-up',
      sentence: 'A letter or call is done, or given up, never both.',
      cure: 'Set dead_at to null where it is done.',
    },
    () => sql`select id from outbox where done_at is not null and dead_at is not null`,
  ),
  asked(
    {
      name: 'effect-is-taken-up',
      sentence: 'What is due, or was left by a process that died, is taken up within a day.',
      cure: 'Start the site. If it runs, "job failed" or "outbox could not be read" in its log says why.',
    },
    (now) => sql`select id from outbox where done_at is null and dead_at is null and due_at < ${now - DAY_MS}
      and coalesce(leased_until, 0) < ${now - DAY_MS}`,
  ),
  asked(
    {
      name: 'effect-is-not-far-off',
      sentence: 'Nothing is put off for longer than a hundred days.',
      cure: 'The clock was wrong when it was queued: "npm run admin -- outbox" and set due_at to now.',
    },
    (now) => sql`select id from outbox where done_at is null and dead_at is null and due_at > ${now + 100 * DAY_MS}`,
  ),
  asked(
    {
      name: 'import-is-finished',
      sentence: 'An import of members that was confirmed is finished within a day.',
      cure: 'Start the site, and see in "npm run admin -- outbox" whether "members.import" was given up.',
    },
    (now) => sql`select id from import_file where state = 'running' and confirmed_at < ${now - DAY_MS}
      or (state = 'done') <> (finished_at is not null) or (state = 'checked') <> (confirmed_at is null)`,
  ),
  asked(
    {
      name: 'job-comes-round',
      sentence: 'Regular work is due within two days.',
      cure: 'The clock was wrong when it was planned: set due_at of that job to 0.',
    },
    (now) => sql`select name as id from job where due_at > ${now + 2 * DAY_MS} or leased_until > ${now + DAY_MS}`,
  ),
  asked(
    {
      name: 'limit-ends',
      sentence: 'No limit lasts longer than a day.',
      cure: 'The clock was wrong when it was counted: delete that row of rate_limit.',
    },
    (now) => sql`select key as id from rate_limit where window_ends_at > ${now + DAY_MS + 3_600_000}`,
  ),
  asked(
    {
      name: 'nothing-happened-tomorrow',
      sentence: 'What happened, happened before now.',
      cure: 'The clock of the server was, or is, wrong: /readyz says so. Rows of later times sort before newer ones.',
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
