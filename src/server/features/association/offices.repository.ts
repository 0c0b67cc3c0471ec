import type { BodyKey, CommitteeList, LeaderBody, PastPresident } from '#contract/association.ts'
import type { Db } from '#server/db/database.ts'
import type { SampleFiles } from './content-schemas.ts'

/** A body in its newest term, members in their order; null when it has none. */
export async function findLeaderBody(db: Db, key: BodyKey): Promise<LeaderBody | null> {
  const body = await db
    .selectFrom('leader_body')
    .selectAll()
    .where('body', '=', key)
    .orderBy('term', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!body) return null
  const members = await db
    .selectFrom('leader')
    .select(['name', 'role', 'location'])
    .where('body', '=', key)
    .where('term', '=', body.term)
    .orderBy('position')
    .execute()
  return { key, title: body.title, term: body.term, lead: body.lead, members }
}

/** The committees of the newest term; null when there are none. */
export async function findCommittees(db: Db): Promise<CommitteeList | null> {
  const rows = await db.selectFrom('committee').selectAll().orderBy('term', 'desc').orderBy('position').execute()
  const term = rows[0]?.term
  if (term === undefined) return null
  const committees = rows
    .filter((row) => row.term === term)
    .map(({ id, title, blurb, members }) => ({ id, title, blurb, members: JSON.parse(members) as string[] }))
  return { term, committees }
}

/** The newest first. */
export async function listPastPresidents(db: Db): Promise<PastPresident[]> {
  return db.selectFrom('past_president').select(['name', 'year']).orderBy('year', 'desc').execute()
}

/** Fills the empty tables of people and offices. */
export async function insertOffices(
  db: Db,
  { leaders, committees, pastPresidents }: Pick<SampleFiles, 'leaders' | 'committees' | 'pastPresidents'>,
  newId: () => string,
): Promise<void> {
  for (const { body, term, title, lead, members } of leaders) {
    await db.insertInto('leader_body').values({ body, term, title, lead }).execute()
    await db
      .insertInto('leader')
      .values(
        members.map(({ name, role, location }, position) => ({
          id: newId(),
          body,
          term,
          name,
          role: role ?? null,
          location: location ?? null,
          position,
        })),
      )
      .execute()
  }
  await db
    .insertInto('committee')
    .values(
      committees.committees.map(({ id, title, blurb, members }, position) => ({
        id,
        term: committees.term,
        title,
        blurb,
        members: JSON.stringify(members),
        position,
      })),
    )
    .execute()
  await db.insertInto('past_president').values(pastPresidents).execute()
}
