import type { Db } from '#server/db/database.ts'
import { writeJson } from '#server/db/schema/column-values.ts'
import type { DeathReportTable } from '#server/db/schema/roll-schema.ts'
import type { PersonDecision } from './person-state.queries.ts'

/** Stores a report. Call it in a transaction that holds the account's lock. */
export async function insertReport(
  db: Db,
  report: Pick<DeathReportTable, 'id' | 'accountId' | 'source' | 'reportedBy' | 'reportedAt'>,
): Promise<void> {
  await db
    .insertInto('deathReport')
    .values({ ...report, closedAs: null, closedAt: null })
    .execute()
}

/** Closes the open reports about a person; returns how many there were. */
export async function closeReports(
  db: Db,
  accountId: string,
  { closedAs, now }: { closedAs: NonNullable<DeathReportTable['closedAs']>; now: number },
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('deathReport')
    .set({ closedAs, closedAt: now })
    .where('accountId', '=', accountId)
    .where('closedAt', 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Puts a decision in force. */
export async function insertDecision(db: Db, decision: Omit<PersonDecision, 'undoneBy' | 'undoneAt' | 'activeKey'>) {
  await db
    .insertInto('personState')
    .values({ ...writeJson(decision, 'sources'), undoneBy: null, undoneAt: null, activeKey: decision.accountId })
    .execute()
}

/** Takes the decision in force back; false if there is none. */
export async function undoDecision(
  db: Db,
  accountId: string,
  { undoneBy, now }: { undoneBy: string; now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('personState')
    .set({ undoneBy, undoneAt: now, activeKey: null })
    .where('activeKey', '=', accountId)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Closes the account of a person who died to log-ins, or opens it again. */
export async function setDeceased(db: Db, id: string, isDeceased: boolean, now: number): Promise<void> {
  await db
    .updateTable('account')
    .set((eb) => ({
      deactivatedBy: isDeceased ? ('deceased' as const) : null,
      tokenVersion: eb('tokenVersion', '+', 1),
      updatedAt: now,
    }))
    .where('id', '=', id)
    .execute()
}

/** For the deletion of an account: what was reported and decided about the person. */
export async function deletePersonState(db: Db, accountId: string): Promise<void> {
  await db.deleteFrom('personState').where('accountId', '=', accountId).execute()
  await db.deleteFrom('deathReport').where('accountId', '=', accountId).execute()
}
