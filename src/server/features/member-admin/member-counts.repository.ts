import { sql } from 'kysely'
import type { CredentialState, MemberRenewal, MemberState } from '#contract/console/member-list.ts'
import type { Db } from '#server/db/database.ts'
import { chosen, endsWithinSql, prepareList, type MemberFilter } from './member-list.queries.ts'
import type { StatusContext } from '#server/features/memberships/membership-state.queries.ts'

/** How many members have the same values in every filter with a fixed set of values. */
export interface MemberGroup {
  status: MemberState
  level: string | null
  credentials: CredentialState
  renewal: MemberRenewal | null
  /** The smallest of the given numbers of days within which the membership renews or ends; null for none. */
  endsWithin: number | null
  count: number
}

const DAY_MS = 86_400_000

/** Counts the filtered members by the values of the other filters, in one pass. @param days ascending */
export async function groupMembers(
  db: Db,
  filter: MemberFilter,
  { days, ...moment }: StatusContext & { days: readonly number[] },
): Promise<MemberGroup[]> {
  await prepareList(db, filter, moment)
  const within = days.map(
    (number) => sql`when ${endsWithinSql(moment, moment.now + number * DAY_MS)} then ${sql.lit(number)}`,
  )
  const members = chosen(db, filter, moment)
    .select(['listed.state as status', 'listed.levelKey as level', 'listed.credentials', 'listed.renewal'])
    .select(
      sql<number | null>`case ${within.length > 0 ? sql.join(within, sql` `) : sql`when 1 = 0 then 0`} end`.as(
        'endsWithin',
      ),
    )
  const rows = await db
    .selectFrom(members.as('member'))
    .select(['status', 'level', 'credentials', 'renewal', 'endsWithin'])
    .select(sql<number | string>`count(*)`.as('count'))
    .groupBy(['status', 'level', 'credentials', 'renewal', 'endsWithin'])
    .execute()
  return rows.map((row) => ({ ...row, count: Number(row.count) }))
}
