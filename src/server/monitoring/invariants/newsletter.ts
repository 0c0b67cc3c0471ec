import { sql } from 'kysely'
import { addressHash } from '#server/features/newsletter/address-hash.ts'
import { listSuppressed } from '#server/features/newsletter/subscriber.repository.ts'
import { asked, type Invariant } from './invariant.ts'

const DAY_MS = 86_400_000
const AT_ONCE = 500

/** Hashes are keyed, so the database cannot compare them by itself. */
const suppressedIsNotWrittenTo: Invariant = {
  name: 'suppressed-is-not-subscribed',
  sentence: 'Nobody who is on the list of addresses never to write to is subscribed.',
  cure: 'Set the state of these subscribers to left: they asked to be written to no more, or their letters came back.',
  async find({ db, secrets }) {
    const found: string[] = []
    let after = ''
    for (;;) {
      const batch = await db
        .selectFrom('subscriber')
        .select(['id', 'email'])
        .where('state', '=', 'subscribed')
        .where('id', '>', after)
        .orderBy('id')
        .limit(AT_ONCE)
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
  suppressedIsNotWrittenTo,
  asked(
    {
      name: 'subscribed-has-confirmed',
      sentence:
        'Whoever is subscribed has confirmed it or came in an imported list, and whoever left has a day of leaving.',
      cure: 'Set who has done neither to pending: they are written to only after they confirmed.',
    },
    () => sql`select id from subscriber where (state = 'subscribed' and confirmed_at is null and imported_at is null)
      or (state in ('left', 'bounced', 'complained') and left_at is null)`,
  ),
  asked(
    {
      name: 'copy-has-mailing',
      sentence: 'No copy of a newsletter is there without the newsletter and its mailing.',
      cure: 'Find out what wrote the rows; copies without a mailing are never sent.',
    },
    () => sql`select d.id from delivery d where not exists (
      select 1 from mailing m join campaign c on c.id = m.campaign_id where m.campaign_id = d.campaign_id)`,
  ),
  asked(
    {
      name: 'mailing-has-its-copies',
      sentence: 'A mailing has as many copies as it had readers.',
      cure: 'Do not send it again: "npm run admin -- newsletter status ID" shows what became of the copies there are.',
    },
    () =>
      sql`select m.campaign_id as id from mailing m where m.recipients <> (select count(*) from delivery d where d.campaign_id = m.campaign_id)`,
  ),
  asked(
    {
      name: 'finished-means-settled',
      sentence: 'Of a finished mailing no copy waits.',
      cure: 'Run "npm run admin -- newsletter status ID"; set its state to sending to have the rest sent.',
    },
    () => sql`select distinct m.campaign_id as id from mailing m join delivery d on d.campaign_id = m.campaign_id
      where m.state = 'finished' and d.state in ('waiting', 'sending')`,
  ),
  asked(
    {
      name: 'copy-in-hand-is-leased',
      sentence: 'A copy is in the hands of the mail server for minutes, then accepted, refused or uncertain.',
      cure: 'Start the site: it looks after them. They are never sent a second time by themselves.',
    },
    (now) => sql`select id from delivery where state = 'sending' and coalesce(leased_until, 0) < ${now - DAY_MS}`,
  ),
  asked(
    {
      name: 'mailed-is-in-the-archive',
      sentence: 'A newsletter that is being mailed counts as sent.',
      cure: 'Set sent_at of the campaign to when its mailing began.',
    },
    () =>
      sql`select m.campaign_id as id from mailing m join campaign c on c.id = m.campaign_id where c.sent_at is null`,
  ),
  asked(
    {
      name: 'search-covers-newsletters',
      sentence: 'Every newsletter is in the index of the search once, and nothing else is.',
      cure: 'Import the newsletter again if it was not sent; else copy its words into campaign_search.',
    },
    () => sql`select c.id from campaign c where (select count(*) from campaign_search s where s.campaign_id = c.id) <> 1
      union all select s.campaign_id as id from campaign_search s where s.campaign_id not in (select id from campaign)`,
  ),
]
