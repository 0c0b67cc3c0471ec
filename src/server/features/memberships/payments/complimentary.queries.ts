import { queryInChunks } from '#server/db/chunked-queries.ts'
import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import type { ComplimentaryTermTable } from '#server/db/schema/membership-schema.ts'

/** A free term granted by an officer. */
export type ComplimentaryTerm = ComplimentaryTermTable

/** Whether a complimentary term is its membership's current term: a paid renewal moves the end date. */
export const IS_CURRENT_TERM = sql<boolean>`complimentary_term.membership_id = membership.id and (
  complimentary_term.ends_at = membership.ends_at or (complimentary_term.ends_at is null and membership.ends_at is null))`

/** Whether a membership's current term is complimentary. */
export async function isComplimentaryTerm(
  db: Db,
  { id, endsAt }: { id: string; endsAt: number | null },
): Promise<boolean> {
  const row = await db
    .selectFrom('complimentaryTerm')
    .select('id')
    .where('membershipId', '=', id)
    .where('endsAt', endsAt === null ? 'is' : '=', endsAt)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export function grantKey(membershipId: string, endsAt: number | null): string {
  return `${membershipId} ${endsAt}`
}

/** When officers last granted ends of these memberships, by `grantKey`. */
export async function findGrantTimes(db: Db, membershipIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await queryInChunks(membershipIds, (some) =>
    db
      .selectFrom('complimentaryTerm')
      .select(['membershipId', 'endsAt', 'givenAt'])
      .where('membershipId', 'in', some)
      .orderBy('givenAt')
      .execute(),
  )
  return new Map(rows.map(({ membershipId, endsAt, givenAt }) => [grantKey(membershipId, endsAt), givenAt]))
}
