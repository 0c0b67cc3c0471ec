import { sql } from 'kysely'
import { addressHash } from '#server/lib/address-hash.ts'
import { listSuppressed } from '#server/features/newsletter/subscribers/subscriber.queries.ts'
import { queryInvariant, type Invariant } from './invariant.ts'

const DAY_MS = 86_400_000
const BATCH_SIZE = 500

/** Hashes are keyed, so the comparison cannot be done in SQL. */
const suppressedIsNotSubscribed: Invariant = {
  name: 'suppressed-is-not-subscribed',
  condition: 'No suppressed address is subscribed.',
  remedy: 'Set the state of these subscribers to left: they unsubscribed or complained, or their email bounced.',
  async findViolations({ db, secrets }) {
    const found: string[] = []
    let after = ''
    for (;;) {
      const batch = await db
        .selectFrom('subscriber')
        .select(['id', 'email'])
        .where('state', '=', 'subscribed')
        .where('id', '>', after)
        .orderBy('id')
        .limit(BATCH_SIZE)
        .execute()
      const last = batch.at(-1)
      if (!last) return found
      after = last.id
      const hashes = new Map(batch.map(({ id, email }) => [addressHash(secrets, email), id]))
      for (const hash of await listSuppressed(db, [...hashes.keys()])) found.push(hashes.get(hash) ?? '')
    }
  },
}

export const newsletterInvariants: Invariant[] = [
  suppressedIsNotSubscribed,
  queryInvariant(
    {
      name: 'subscribed-has-confirmed',
      condition: 'Every subscriber has confirmed or was imported, and every unsubscribed one has the date.',
      remedy: 'Set unconfirmed ones to pending: they receive the newsletter only after they confirm.',
    },
    () => sql`select id from subscriber where (state = 'subscribed' and confirmed_at is null and imported_at is null)
      or (state in ('left', 'bounced', 'complained') and left_at is null)`,
  ),
  queryInvariant(
    {
      name: 'copy-has-mailing',
      condition: 'Every copy of a newsletter belongs to a newsletter and its mailing.',
      remedy: 'Find out what wrote the rows; copies without a mailing are never sent.',
    },
    () => sql`select d.id from delivery d where not exists (
      select 1 from mailing m join campaign c on c.id = m.campaign_id where m.campaign_id = d.campaign_id)`,
  ),
  queryInvariant(
    {
      name: 'mailing-has-its-copies',
      condition: 'A mailing has one copy per recipient.',
      remedy: 'Do not send it again: "npm run admin -- newsletter status ID" shows the state of the existing copies.',
    },
    () =>
      sql`select m.campaign_id as id from mailing m where m.recipients <> (select count(*) from delivery d where d.campaign_id = m.campaign_id)`,
  ),
  queryInvariant(
    {
      name: 'finished-means-nothing-waits',
      condition: 'A finished mailing has no waiting copies.',
      remedy: 'Run "npm run admin -- newsletter status ID"; set its state to sending to have the rest sent.',
    },
    () => sql`select distinct m.campaign_id as id from mailing m join delivery d on d.campaign_id = m.campaign_id
      where m.state = 'finished' and d.state in ('waiting', 'sending')`,
  ),
  queryInvariant(
    {
      name: 'copy-in-hand-is-leased',
      condition: 'A copy is with the mail server for minutes, then accepted, refused or uncertain.',
      remedy: 'Start the site: it resolves them. They are never sent a second time automatically.',
    },
    (now) => sql`select id from delivery where state = 'sending' and coalesce(leased_until, 0) < ${now - DAY_MS}`,
  ),
  queryInvariant(
    {
      name: 'mailed-is-in-the-archive',
      condition: 'A newsletter that is being mailed counts as sent.',
      remedy: 'Set sent_at of the campaign to the start of its mailing.',
    },
    () =>
      sql`select m.campaign_id as id from mailing m join campaign c on c.id = m.campaign_id where c.sent_at is null`,
  ),
  queryInvariant(
    {
      name: 'search-covers-newsletters',
      condition: 'The search index contains every newsletter once, and nothing else.',
      remedy: 'Import the newsletter again if it was not sent; otherwise copy its text into campaign_search.',
    },
    () => sql`select c.id from campaign c where (select count(*) from campaign_search s where s.campaign_id = c.id) <> 1
      union all select s.campaign_id as id from campaign_search s where s.campaign_id not in (select id from campaign)`,
  ),
]
