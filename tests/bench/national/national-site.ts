import { sql, type Kysely } from 'kysely'
import { openDatabase } from '#server/db/open-database.ts'
import type { Schema } from '#server/db/schema/schema.ts'
import { gatherStatistics } from '#server/db/table-statistics.ts'
import { incrementContentVersion } from '#server/features/content-store/content.commands.ts'
import { settingKind } from '#server/features/content-store/kinds/settings.kinds.ts'
import { storeRecord } from '#tests/support/content/stored-records.ts'
import type { Random } from '#tests/trust/random.ts'
import { fillLists } from '../console-lists.ts'
import { listEveryone } from '../directory-people.ts'
import { addMembers } from '../members.ts'
import { addCampaigns } from '../newsletter.ts'

/** A national body: so many members, and for each of them so many payments, emails and entries of the audit log. */
export const NATIONAL = { members: 100_000, payments: 10, emails: 50, history: 5 } as const

const DAY_MS = 86_400_000
/** Half of them newsletters to subscribers, half emails to members. */
const CAMPAIGNS = NATIONAL.emails
const GUESTS = 1_000
const quiet = { debug() {}, info() {}, warn() {}, error() {} }

/**
 * Fills the database of a site as a national body would after years: four in ten memberships are past. What there is most of is inserted by the database itself, from
 * the members that are there.
 * @returns the event with the RSVPs, and some last names
 */
export async function fillNationalSite(
  databaseUrl: string,
  members: number,
  random: Random,
): Promise<{ eventId: string; lastNames: string[] }> {
  await addMembers(databaseUrl, members, random)
  const lastNames = await listEveryone(databaseUrl, random)
  const { eventId } = await fillLists(
    databaseUrl,
    {
      messages: members / 10,
      subscribers: members,
      credentials: members,
      history: members * NATIONAL.history,
      guests: GUESTS,
    },
    random,
  )
  await addCampaigns(databaseUrl, CAMPAIGNS, random)
  const { db, engine, close } = openDatabase(databaseUrl, quiet, { statementTimeoutMs: null })
  try {
    if (engine === 'sqlite') await sql`pragma cache_size = -1000000`.execute(db)
    const now = Date.now()
    await endMemberships(db)
    await addPayments(db, members, now)
    await sendEmails(db, now)
    await showHalfInPublic(db)
    await gatherStatistics(db)
    // As autovacuum would: lists are read from indexes alone only afterwards.
    if (engine === 'postgres') await sql`vacuum`.execute(db)
  } finally {
    await close()
  }
  return { eventId, lastNames }
}

/** Of each five memberships two ended at the end of their first term. */
async function endMemberships(db: Kysely<Schema>): Promise<void> {
  await sql`
    update membership set kind = 'RECURRING', level_key = 'annual_member', ends_at = started_at + ${sql.lit(300 * DAY_MS)}
    where account_id in (select id from account where email like '%3@bench.example' or email like '%4@bench.example'
      or email like '%8@bench.example' or email like '%9@bench.example')`.execute(db)
}

/** Payments between joining and today, until there are ten for each member, and the ledger entries of all. */
async function addPayments(db: Kysely<Schema>, members: number, now: number): Promise<void> {
  const { count } = await db
    .selectFrom('payment')
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  const more = Math.ceil((members * NATIONAL.payments - Number(count)) / members)
  const paidAt = sql`account.created_at + (${sql.lit(now)} - account.created_at) * number.n / ${sql.lit(more + 1)}`
  await sql`
    with recursive number (n) as (select 1 union all select n + 1 from number where n < ${sql.lit(more)})
    insert into payment (id, account_id, reference, level_key, amount, currency, receipt_number, paid_at, recorded_at, payment_intent_id, purpose, period_ends_at)
    select account.id || '-' || number.n, account.id, 'in_' || account.id || '-' || number.n, 'annual_member', 10000, 'usd',
      'R-2020-' || upper(substr(account.id, 11)) || number.n, ${paidAt}, ${paidAt}, 'pi_' || account.id || '-' || number.n, 'renewal', ${paidAt} + ${sql.lit(365 * DAY_MS)}
    from account cross join number order by account.id`.execute(db)
  await sql`
    insert into ledger_entry (id, kind, payment_id, type, at, amount, currency, method, recorded_at)
    select id, 'dues', id, 'payment', paid_at, amount, currency, 'card', recorded_at from payment order by paid_at, id`.execute(
    db,
  )
}

/** Half of the campaigns went to the subscribers, the other half are notices to the members; one copy in a hundred bounced. */
async function sendEmails(db: Kysely<Schema>, now: number): Promise<void> {
  await sql`update campaign set recipients = 'members' where id like 'campaign-%1' or id like 'campaign-%3' or id like 'campaign-%5'
    or id like 'campaign-%7' or id like 'campaign-%9'`.execute(db)
  await sql`
    insert into mailing (campaign_id, state, recipients, started_at, resume_at, finished_at)
    select id, 'finished', (select count(*) from account), sent_at, sent_at, sent_at + 600000 from campaign where id like 'campaign-%'`.execute(
    db,
  )
  await sql`
    insert into member_email (campaign_id, topic, audience, meeting_kind)
    select id, 'notice', '{"filter":{}}', 'annual' from campaign where recipients = 'members'`.execute(db)
  const campaigns = await db
    .selectFrom('campaign')
    .select(['id', 'recipients'])
    .where('id', 'like', 'campaign-%')
    .execute()
  for (const { id, recipients } of campaigns) {
    const people = sql.table(recipients === 'members' ? 'account' : 'subscriber')
    if (recipients === 'members')
      await sql`
        insert into member_email_recipient (campaign_id, account_id, way)
        select ${sql.lit(id)}, id, 'email' from account order by id`.execute(db)
    await sql`
      insert into delivery (id, campaign_id, recipient_id, email, state, attempts, due_at, finished_at)
      select ${sql.lit(id)} || '.' || id, ${sql.lit(id)}, id, email, case when email like '%77@%' then 'bounced' else 'accepted' end, 1,
        ${sql.lit(now - DAY_MS)}, ${sql.lit(now - DAY_MS)}
      from ${people} order by id`.execute(db)
  }
  await sql`update campaign set sent_at = null where recipients = 'members'`.execute(db)
}

async function showHalfInPublic(db: Kysely<Schema>): Promise<void> {
  await sql`update directory_listing set in_public = 1 where id like '%0' or id like '%2' or id like '%4' or id like '%6' or id like '%8'
    or id like '%a' or id like '%c' or id like '%e' or id like '%g' or id like '%j' or id like '%m' or id like '%p'`.execute(
    db,
  )
  await sql`update record_value set audience = 'everyone'
    where account_id in (select account_id from directory_listing where in_public = 1)`.execute(db)
  await storeRecord(db, settingKind('publicDirectory'), {
    isOn: true,
    title: 'Find a physician',
    schemaType: 'Physician',
  })
  await db.transaction().execute(incrementContentVersion)
}
