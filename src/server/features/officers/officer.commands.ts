import type { Db } from '#server/db/database.ts'
import { type OfficerTermRecord } from './officer.queries.ts'

export async function addTerm(
  db: Db,
  term: Omit<OfficerTermRecord, 'endedAt'> & { givenBy: string },
  now: number,
): Promise<void> {
  await db
    .insertInto('officerTerm')
    .values({ ...term, createdAt: now, endedAt: null })
    .execute()
}

/** Returns false if it had already ended. */
export async function endTerm(db: Db, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('officerTerm')
    .set({ endedAt: now })
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Ends every term of an account that is current or future on a day; returns the terms as they were before. */
export async function endAllTerms(
  db: Db,
  { accountId, day, now }: { accountId: string; day: string; now: number },
): Promise<OfficerTermRecord[]> {
  const rows = await db
    .updateTable('officerTerm')
    .set({ endedAt: now })
    .where('accountId', '=', accountId)
    .where('endsOn', '>=', day)
    .where('endedAt', 'is', null)
    .returningAll()
    .execute()
  return rows.map((row) => ({ ...row, endedAt: null }))
}

/** Sets when a term ends: on another day, immediately, or as before. */
export async function setTermEnd(
  db: Db,
  id: string,
  { endsOn, endedAt }: Pick<OfficerTermRecord, 'endsOn' | 'endedAt'>,
): Promise<void> {
  await db.updateTable('officerTerm').set({ endsOn, endedAt }).where('id', '=', id).execute()
}

/**
 * Locks the presidents' terms until the transaction ends, so that two presidents cannot end each other's role at the
 * same time.
 */
export async function lockPresidents(db: Db): Promise<void> {
  await db
    .updateTable('officerTerm')
    .set({ role: 'president' })
    .where('role', '=', 'president')
    .where('endedAt', 'is', null)
    .execute()
}
