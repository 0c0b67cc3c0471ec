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

/** Newest first, with the name of the officer who saved each; null for a deleted account. */
export async function listRevisions(
  db: Db,
  record: { kind: string; id: string },
  limit: number,
): Promise<(Revision & { name: string | null })[]> {
  const rows = await db
    .selectFrom('contentRevision')
    .leftJoin('account', 'account.id', 'contentRevision.savedBy')
    .selectAll('contentRevision')
    .select(['account.firstName', 'account.lastName'])
    .where('kind', '=', record.kind)
    .where('recordId', '=', record.id)
    .orderBy('number', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ firstName: first, lastName: last, ...row }) => ({
    ...toRevision(row),
    name: first === null ? null : `${first} ${last ?? ''}`.trim(),
  }))
}

export async function findRevision(
  db: Db,
  { kind, id, number }: { kind: string; id: string; number: number },
): Promise<Revision | null> {
  const row = await db
    .selectFrom('contentRevision')
    .selectAll()
    .where('kind', '=', kind)
    .where('recordId', '=', id)
    .where('number', '=', number)
    .executeTakeFirst()
  return row ? toRevision(row) : null
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
