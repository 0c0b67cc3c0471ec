import type { Db } from '#server/db/database.ts'
import type { RollOverPlan } from '#contract/console/roll-over.ts'
import type { RollOverResult } from './roll-over-result.rules.ts'
import { OPEN, type StoredRollOver, selectRollOver, readRollOver } from './roll-over.queries.ts'

export async function findRollOver(db: Db, id: string): Promise<StoredRollOver | null> {
  const row = await selectRollOver(db).where('rollOver.id', '=', id).executeTakeFirst()
  return row ? readRollOver(row) : null
}

/** Returns the last executed plan, unless it was undone. */
export async function findLastDone(db: Db): Promise<StoredRollOver | null> {
  const row = await selectRollOver(db).where('state', '=', 'done').orderBy('doneAt', 'desc').limit(1).executeTakeFirst()
  return row ? readRollOver(row) : null
}

/** Returns scheduled plans that are due. */
export async function listDueRollOvers(db: Db, today: string): Promise<StoredRollOver[]> {
  const rows = await selectRollOver(db).where('state', '=', 'scheduled').where('runOn', '<=', today).execute()
  return rows.map(readRollOver)
}

/** No-op if a plan is already open. */
export async function addRollOver(
  db: Db,
  { id, plan, savedBy, savedAt }: { id: string; plan: RollOverPlan; savedBy: string; savedAt: number },
): Promise<void> {
  await db
    .insertInto('rollOver')
    .values({
      id,
      state: 'draft',
      openKey: OPEN,
      version: 1,
      plan: JSON.stringify(plan),
      runOn: null,
      failure: null,
      outcome: null,
      savedBy,
      savedAt,
      doneAt: null,
    })
    .onConflict((conflict) => conflict.column('openKey').doNothing())
    .execute()
}

export async function saveResult(db: Db, id: string, outcome: RollOverResult): Promise<void> {
  await db
    .updateTable('rollOver')
    .set({ outcome: JSON.stringify(outcome) })
    .where('id', '=', id)
    .execute()
}

/** Deletes a plan that was not executed. Returns false if there is none. */
export async function deleteOpenRollOver(db: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('rollOver')
    .where('id', '=', id)
    .where('openKey', '=', OPEN)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Returns those of the accounts that can log in. */
export async function findActiveAccounts(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, { name: string; email: string }>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('account')
    .select(['id', 'firstName', 'lastName', 'email'])
    .where('id', 'in', ids)
    .where('deactivatedBy', 'is', null)
    .execute()
  return new Map(rows.map(({ id, firstName, lastName, email }) => [id, { name: `${firstName} ${lastName}`, email }]))
}
