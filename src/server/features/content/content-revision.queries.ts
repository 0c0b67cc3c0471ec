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

export function toRevision({ value, isNewest: _newest, ...row }: ContentRevisionTable): Revision {
  return { ...row, value: JSON.parse(value) as ContentValue }
}

/** The optimistic-lock token of a record. Changes with every save, and with an import that changes the published value. */
export function recordVersion({ published, newest }: RecordState): string {
  const seen = createHash('sha256').update(JSON.stringify(published)).digest('hex').slice(0, 16)
  return `${newest?.number ?? 0}-${seen}`
}
