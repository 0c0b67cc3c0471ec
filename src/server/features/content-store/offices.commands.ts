import type { CommitteeList, PastPresident } from '#contract/public/association.ts'
import type { Db } from '#server/db/database.ts'
import type { SampleFiles } from './content.schema.ts'

export async function replaceLeaders(db: Db, bodies: SampleFiles['leaders'], newId: () => string): Promise<void> {
  await db.deleteFrom('leader').execute()
  await db.deleteFrom('leaderBody').execute()
  for (const body of bodies) await addLeaderBody(db, body, newId)
}

/** Replaces one body in one term. */
export async function saveLeaderBody(db: Db, body: SampleFiles['leaders'][number], newId: () => string): Promise<void> {
  await deleteLeaderBody(db, body)
  await addLeaderBody(db, body, newId)
}

export async function deleteLeaderBody(db: Db, { body, term }: { body: string; term: string }): Promise<void> {
  await db.deleteFrom('leader').where('body', '=', body).where('term', '=', term).execute()
  await db.deleteFrom('leaderBody').where('body', '=', body).where('term', '=', term).execute()
}

async function addLeaderBody(
  db: Db,
  { body, term, title, lead, members }: SampleFiles['leaders'][number],
  newId: () => string,
): Promise<void> {
  await db.insertInto('leaderBody').values({ body, term, title, lead }).execute()
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

/** Makes this term the newest: earlier terms are unchanged, later ones are deleted, so that an older revision can be restored. */
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
  await db.deleteFrom('pastPresident').execute()
  if (presidents.length > 0)
    await db
      .insertInto('pastPresident')
      .values([...presidents])
      .execute()
}
