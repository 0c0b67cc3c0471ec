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

/** Every body in every term, as `replaceLeaders` takes them. */
export async function readLeaders(db: Db): Promise<SampleFiles['leaders']> {
  const bodies = await db.selectFrom('leader_body').selectAll().orderBy('body').orderBy('term').execute()
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

export async function replaceLeaders(db: Db, bodies: SampleFiles['leaders'], newId: () => string): Promise<void> {
  await db.deleteFrom('leader').execute()
  await db.deleteFrom('leader_body').execute()
  for (const body of bodies) await addLeaderBody(db, body, newId)
}

/** One body in one term; others stay. */
export async function saveLeaderBody(db: Db, body: SampleFiles['leaders'][number], newId: () => string): Promise<void> {
  await removeLeaderBody(db, body)
  await addLeaderBody(db, body, newId)
}

export async function removeLeaderBody(db: Db, { body, term }: { body: string; term: string }): Promise<void> {
  await db.deleteFrom('leader').where('body', '=', body).where('term', '=', term).execute()
  await db.deleteFrom('leader_body').where('body', '=', body).where('term', '=', term).execute()
}

async function addLeaderBody(
  db: Db,
  { body, term, title, lead, members }: SampleFiles['leaders'][number],
  newId: () => string,
): Promise<void> {
  await db.insertInto('leader_body').values({ body, term, title, lead }).execute()
  if (members.length === 0) return
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

/** They are the newest from now on: those of former terms stay, those of a later one make room, so that an older version can be brought back. */
export async function replaceCommittees(db: Db, { term, committees }: CommitteeList): Promise<void> {
  await db.deleteFrom('committee').where('term', '>=', term).execute()
  if (committees.length === 0) return
  await db
    .insertInto('committee')
    .values(
      committees.map(({ id, title, blurb, members }, position) => ({
        id,
        term,
        title,
        blurb,
        members: JSON.stringify(members),
        position,
      })),
    )
    .execute()
}

export async function replacePastPresidents(db: Db, presidents: readonly PastPresident[]): Promise<void> {
  await db.deleteFrom('past_president').execute()
  if (presidents.length > 0)
    await db
      .insertInto('past_president')
      .values([...presidents])
      .execute()
}
