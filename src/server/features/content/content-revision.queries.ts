import { createHash } from 'node:crypto'
import type { ContentValue } from '#contract/console/content.ts'
import type { Db } from '#server/db/database.ts'
import type { ContentRevisionTable } from '#server/db/schema/content-schema.ts'
import type { RecordState } from './content-state.rules.ts'

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
  /** Why it was not published at its scheduled time; set only for held revisions. */
  held?: string | null
}

/** Scheduled revisions of one officer. */
export async function listScheduledBy(db: Db, accountId: string): Promise<Revision[]> {
  const rows = await db
    .selectFrom('contentRevision')
    .selectAll()
    .where('isNewest', '=', 1)
    .where('action', '=', 'scheduled')
    .where('savedBy', '=', accountId)
    .orderBy('publishAt')
    .execute()
  return rows.map(toRevision)
}

/** The value that a record had on the site last; null if it was never published in the console. */
export async function findLastPublished(
  db: Db,
  { kind, id }: { kind: string; id: string },
): Promise<ContentValue | null> {
  const row = await db
    .selectFrom('contentRevision')
    .select('value')
    .where('kind', '=', kind)
    .where('recordId', '=', id)
    .where('action', '=', 'published')
    .orderBy('number', 'desc')
    .executeTakeFirst()
  return row ? (JSON.parse(row.value) as ContentValue) : null
}

/** Counts records whose newest revision was held. */
export async function countHeld(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('contentRevision')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('isNewest', '=', 1)
    .where('held', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(count)
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

export function toRevision({ value, isNewest: _newest, ...row }: ContentRevisionTable): Revision {
  return { ...row, value: JSON.parse(value) as ContentValue }
}

/** The optimistic-lock token of a record. Changes with every save, also an automatic one, and with an import that changes the published value. */
export function recordVersion({ published, newest }: RecordState): string {
  const seen = createHash('sha256')
    .update(JSON.stringify([published, newest?.value]))
    .digest('hex')
    .slice(0, 16)
  return `${newest?.number ?? 0}-${seen}`
}
