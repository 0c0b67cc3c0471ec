import type { Db } from '#server/db/database.ts'
import { type Revision, toRevision } from './content-revision.queries.ts'

/** The newest revision of each record that has any, of one kind or of all. */
export async function listNewestRevisions(db: Db, kind?: string): Promise<Revision[]> {
  const newest = db.selectFrom('contentRevision').selectAll().where('isNewest', '=', 1)
  const rows = await (kind === undefined ? newest : newest.where('kind', '=', kind)).execute()
  return rows.map(toRevision)
}

export async function findNewestRevision(db: Db, { kind, id }: { kind: string; id: string }): Promise<Revision | null> {
  const row = await db
    .selectFrom('contentRevision')
    .selectAll()
    .where('kind', '=', kind)
    .where('recordId', '=', id)
    .where('isNewest', '=', 1)
    .executeTakeFirst()
  return row ? toRevision(row) : null
}

/** Counts unpublished drafts and scheduled revisions by kind. */
export async function countUnpublished(db: Db): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('contentRevision')
    .select(({ fn }) => ['kind', fn.countAll().as('count')])
    .where('isNewest', '=', 1)
    .where('action', 'in', ['draft', 'scheduled'])
    .groupBy('kind')
    .execute()
  return new Map(rows.map(({ kind, count }) => [kind, Number(count)]))
}

/** When each published record was written, by `kind/id`. */
export async function listUpdateTimes(db: Db): Promise<Map<string, number>> {
  const rows = await db.selectFrom('contentRecord').select(['kind', 'id', 'updatedAt']).execute()
  return new Map(rows.map(({ kind, id, updatedAt }) => [`${kind}/${id}`, Number(updatedAt)]))
}

/** The names of everyone who saved the newest revision of a record, by account. */
export async function listSaverNames(db: Db): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('account')
    .select(['id', 'firstName', 'lastName'])
    .where('id', 'in', db.selectFrom('contentRevision').select('savedBy').where('isNewest', '=', 1))
    .execute()
  return new Map(rows.map(({ id, firstName, lastName }) => [id, `${firstName} ${lastName}`]))
}

/** Scheduled revisions that are due. */
export async function listDueRevisions(db: Db, now: number): Promise<Revision[]> {
  const rows = await db
    .selectFrom('contentRevision')
    .selectAll()
    .where('isNewest', '=', 1)
    .where('action', '=', 'scheduled')
    .where('publishAt', '<=', now)
    .orderBy('publishAt')
    .execute()
  return rows.map(toRevision)
}
