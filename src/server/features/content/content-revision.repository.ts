import type { Db } from '#server/db/database.ts'
import { type Revision, toRevision } from './content-revision.queries.ts'

/** The newest revision of each record that has any. */
export async function listNewestRevisions(db: Db, kind: string): Promise<Revision[]> {
  const rows = await db
    .selectFrom('content_revision')
    .selectAll()
    .where('is_newest', '=', 1)
    .where('kind', '=', kind)
    .execute()
  return rows.map(toRevision)
}

/** Counts unpublished drafts and scheduled revisions by kind. */
export async function countUnpublished(db: Db): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('content_revision')
    .select(({ fn }) => ['kind', fn.countAll().as('count')])
    .where('is_newest', '=', 1)
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
    .selectFrom('content_revision')
    .leftJoin('account', 'account.id', 'content_revision.saved_by')
    .selectAll('content_revision')
    .select(['account.first_name', 'account.last_name'])
    .where('kind', '=', record.kind)
    .where('record_id', '=', record.id)
    .orderBy('number', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ first_name: first, last_name: last, ...row }) => ({
    ...toRevision(row),
    name: first === null ? null : `${first} ${last ?? ''}`.trim(),
  }))
}

export async function findRevision(
  db: Db,
  { kind, id, number }: { kind: string; id: string; number: number },
): Promise<Revision | null> {
  const row = await db
    .selectFrom('content_revision')
    .selectAll()
    .where('kind', '=', kind)
    .where('record_id', '=', id)
    .where('number', '=', number)
    .executeTakeFirst()
  return row ? toRevision(row) : null
}

/** The last revision that was published or found on the site; null if there is none. */
export async function findLastPublic(db: Db, record: { kind: string; id: string }): Promise<Revision | null> {
  const row = await db
    .selectFrom('content_revision')
    .selectAll()
    .where('kind', '=', record.kind)
    .where('record_id', '=', record.id)
    .where('action', 'in', ['found', 'published'])
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? toRevision(row) : null
}

/** Scheduled revisions that are due. */
export async function listDueRevisions(db: Db, now: number): Promise<Revision[]> {
  const rows = await db
    .selectFrom('content_revision')
    .selectAll()
    .where('is_newest', '=', 1)
    .where('action', '=', 'scheduled')
    .where('publish_at', '<=', now)
    .orderBy('publish_at')
    .execute()
  return rows.map(toRevision)
}
