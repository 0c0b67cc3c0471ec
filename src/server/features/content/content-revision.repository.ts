import type { ContentValue } from '#contract/console-content.ts'
import type { Db } from '#server/db/database.ts'
import type { ContentRevisionTable } from '#server/db/content-editing-schema.ts'

export interface Revision {
  id: string
  kind: string
  recordId: string
  number: number
  action: ContentRevisionTable['action']
  value: ContentValue
  savedBy: string
  savedAt: number
  publishAt: number | null
  /** Why it was not published at its hour; left out unless it was scheduled and then held. */
  held?: string | null
}

/** The newest version of each record that was ever saved here. */
export async function listNewest(db: Db, kind: string): Promise<Revision[]> {
  const rows = await db
    .selectFrom('content_revision')
    .selectAll()
    .where('is_newest', '=', 1)
    .where('kind', '=', kind)
    .execute()
  return rows.map(toRevision)
}

/** How many records of each kind wait to be published. */
export async function countWaiting(db: Db): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('content_revision')
    .select(({ fn }) => ['kind', fn.countAll().as('count')])
    .where('is_newest', '=', 1)
    .where('action', 'in', ['draft', 'scheduled'])
    .groupBy('kind')
    .execute()
  return new Map(rows.map(({ kind, count }) => [kind, Number(count)]))
}

/** Newest first, with the name of whoever saved it; null for an account that is gone. */
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

/** What was public by the last version that says so; null when none does. */
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

/** Scheduled versions whose time has come. */
export async function listDue(db: Db, now: number): Promise<Revision[]> {
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

/** Versions that wait for their hour, by who scheduled them. */
export async function listScheduledBy(db: Db, accountId: string): Promise<Revision[]> {
  const rows = await db
    .selectFrom('content_revision')
    .selectAll()
    .where('is_newest', '=', 1)
    .where('action', '=', 'scheduled')
    .where('saved_by', '=', accountId)
    .orderBy('publish_at')
    .execute()
  return rows.map(toRevision)
}

/** How many records were scheduled, held, and not touched since. */
export async function countHeld(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('content_revision')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('is_newest', '=', 1)
    .where('held', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Adds a version; it is the newest from now on. Call while content is held. */
export async function addRevision(db: Db, { recordId, value, ...revision }: Revision): Promise<void> {
  await db
    .updateTable('content_revision')
    .set({ is_newest: 0 })
    .where('kind', '=', revision.kind)
    .where('record_id', '=', recordId)
    .where('is_newest', '=', 1)
    .execute()
  await db
    .insertInto('content_revision')
    .values({
      id: revision.id,
      kind: revision.kind,
      record_id: recordId,
      number: revision.number,
      action: revision.action,
      value: JSON.stringify(value),
      saved_by: revision.savedBy,
      saved_at: revision.savedAt,
      publish_at: revision.publishAt,
      is_newest: 1,
      held: revision.held ?? null,
    })
    .execute()
}

function toRevision(row: ContentRevisionTable): Revision {
  return {
    id: row.id,
    kind: row.kind,
    recordId: row.record_id,
    number: row.number,
    action: row.action,
    value: JSON.parse(row.value) as ContentValue,
    savedBy: row.saved_by,
    savedAt: row.saved_at,
    publishAt: row.publish_at,
    held: row.held,
  }
}
