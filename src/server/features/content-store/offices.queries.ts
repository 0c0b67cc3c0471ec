import type { BodyKey, CommitteeList, LeadershipGroup, PastPresident } from '#contract/public/association.ts'
import type { Db } from '#server/db/database.ts'
import type { SampleFiles } from './content.schema.ts'

/** The body in its newest term, with its members in order; null if there is none. */
export async function findLeaderBody(db: Db, key: BodyKey): Promise<LeadershipGroup | null> {
  const body = await db
    .selectFrom('leaderBody')
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

/** The committees of the newest term; null if there are none. */
export async function findCommittees(db: Db): Promise<CommitteeList | null> {
  const rows = await db.selectFrom('committee').selectAll().orderBy('term', 'desc').orderBy('position').execute()
  const term = rows[0]?.term
  if (term === undefined) return null
  const committees = rows
    .filter((row) => row.term === term)
    .map(({ id, title, blurb, members }) => ({ id, title, blurb, members: JSON.parse(members) as string[] }))
  return { term, committees }
}

/** Newest first. */
export async function listPastPresidents(db: Db): Promise<PastPresident[]> {
  return db.selectFrom('pastPresident').select(['name', 'year']).orderBy('year', 'desc').execute()
}

/** Every body in every term, in the format of `replaceLeaders`. */
export async function readLeaders(db: Db): Promise<SampleFiles['leaders']> {
  const bodies = await db.selectFrom('leaderBody').selectAll().orderBy('body').orderBy('term').execute()
  const leaders = await db.selectFrom('leader').selectAll().orderBy('position').execute()
  return bodies.map(({ body, term, title, lead }) => ({
    body: body as BodyKey,
    title,
    term,
    lead,
    members: leaders
      .filter((leader) => leader.body === body && leader.term === term)
      .map(({ name, role, location }) => ({ name, ...(role && { role }), ...(location && { location }) })),
  }))
}
