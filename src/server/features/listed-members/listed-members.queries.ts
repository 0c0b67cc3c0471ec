import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#server/db/database.ts'
import type { ListedMemberTable } from '#server/db/schema/member-admin-schema.ts'
import {
  renewalOf,
  runsUntilSql,
  stateOf,
  type StatusContext,
} from '#server/features/memberships/membership-state.queries.ts'
import { refreshRows } from './refresh-rows.queries.ts'

/** What a query of the list sees of a member. */
type ListedMemberRow = Omit<ListedMemberTable, 'holdsUntil' | 'graceMs'>

const COLUMNS = [
  'account_id',
  'state',
  'level_key',
  'started_at',
  'runs_until',
  'is_ended',
  'renewal',
  'renewal_amount',
  'credential_id',
  'credentials',
  'credentials_counted_from',
  'credentials_end_on',
  'credentials_asked_at',
  'last_paid_at',
  'joined_at',
  'last_name',
  'first_name',
  'holds_until',
  'grace_ms',
] as const

const REFRESHED_AT_ONCE = 500

/** The members as the database keeps them for lists. Call `refreshListedMembers` first. */
export const STORED_MEMBERS = sql<ListedMemberRow>`listed_member`

/** The same, worked out when it is read: for few members, and within a transaction. */
export function membersNow(moment: StatusContext): RawBuilder<ListedMemberRow> {
  return sql<ListedMemberRow>`(
    select
      account.id as account_id,
      ${stateOf(moment)} as state,
      membership.level_key as level_key,
      membership.started_at as started_at,
      ${runsUntilSql(moment)} as runs_until,
      case when membership.ended_at is null then 0 else 1 end as is_ended,
      ${renewalOf(moment)} as renewal,
      membership.renewal_amount as renewal_amount,
      credential.id as credential_id,
      coalesce(credential.status, 'none') as credentials,
      coalesce(credential.counted_from, credential.decided_at) as credentials_counted_from,
      credential.ends_on as credentials_end_on,
      case when credential.answered_at is null then credential.asked_at end as credentials_asked_at,
      ${LAST_PAID_AT} as last_paid_at,
      account.created_at as joined_at,
      lower(account.last_name) as last_name,
      lower(account.first_name) as first_name,
      ${holdsUntil(moment)} as holds_until,
      case when membership.past_due_since is not null then cast(${moment.graceMs} as bigint) end as grace_ms
    from account
    left join membership on membership.account_id = account.id and membership.is_current = 1
    left join credential on credential.id = ${NEWEST_CREDENTIALS}
  )`
}

const NEWEST_CREDENTIALS = sql`(
  select given.id from credential as given where given.account_id = account.id
  order by given.given_at desc, given.id desc limit 1
)`

/** When an account last paid dues, found in an index: adding up all payments would take as long as there are payments. */
const LAST_PAID_AT = sql<number | null>`(
  select max(payment.paid_at) from payment where payment.account_id = account.id and payment.voided_at is null
)`

/** The next instant at which the clock alone changes the state or the renewal. */
function holdsUntil({ now, graceMs }: StatusContext): RawBuilder<number> {
  return sql<number>`coalesce((
    select min(moment.instant) from (
      select membership.ended_at as instant
      union all select membership.ends_at
      union all select membership.past_due_since + ${graceMs}
      union all select coalesce(membership.gave_up_at, membership.next_attempt_at)
    ) as moment where moment.instant > ${now}
  ), ${sql.lit(Number.MAX_SAFE_INTEGER)})`
}

/**
 * Works out again what the list shows of members who have changed, or whom the clock has. A transaction reads `membersNow` instead: it must not wait for
 * these rows, which each change of a member locks.
 */
export async function refreshListedMembers(db: Db, moment: StatusContext): Promise<void> {
  if (db.isTransaction) throw new Error('A transaction works out the members it lists')
  await refreshRows(db, {
    due: (handle) => due(handle, moment),
    atOnce: REFRESHED_AT_ONCE,
    write: (tx, ids) => writeListedMembers(tx, ids, moment),
  })
}

function due(db: Db, { now, graceMs }: StatusContext) {
  return db
    .selectFrom('listedMember')
    .select('accountId')
    .where((eb) => eb.or([eb('holdsUntil', '<=', now), eb('graceMs', '<', graceMs), eb('graceMs', '>', graceMs)]))
}

async function writeListedMembers(tx: Db, ids: readonly string[], moment: StatusContext): Promise<void> {
  const columns = sql.join(COLUMNS.map((name) => sql.ref(name)))
  const updates = sql.join(COLUMNS.slice(1).map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`))
  await sql`
    insert into listed_member (${columns})
    select ${columns} from ${membersNow(moment)} as listed where account_id in (${sql.join(ids)})
    on conflict (account_id) do update set ${updates}`.execute(tx)
}
