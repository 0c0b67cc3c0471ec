import type { Db } from '#server/db/database.ts'
import type { RollOverPlan } from '#contract/console/roll-over.ts'
import type { RollOverResult } from './roll-over-result.rules.ts'
import { OPEN, type StoredRollOver, selectRollOver, toRollOver } from './roll-over.queries.ts'

export async function findRollOver(db: Db, id: string): Promise<StoredRollOver | null> {
  const row = await selectRollOver(db).where('roll_over.id', '=', id).executeTakeFirst()
  return row ? toRollOver(row) : null
}

/** Returns the last executed plan, unless it was undone. */
export async function findLastDone(db: Db): Promise<StoredRollOver | null> {
  const row = await selectRollOver(db)
    .where('state', '=', 'done')
    .orderBy('done_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? toRollOver(row) : null
}

/** Returns scheduled plans that are due. */
export async function listDueRollOvers(db: Db, today: string): Promise<StoredRollOver[]> {
  const rows = await selectRollOver(db).where('state', '=', 'scheduled').where('run_on', '<=', today).execute()
  return rows.map(toRollOver)
}

/** No-op if a plan is already open. */
export async function addRollOver(
  db: Db,
  { id, plan, savedBy, savedAt }: { id: string; plan: RollOverPlan; savedBy: string; savedAt: number },
): Promise<void> {
  await db
    .insertInto('roll_over')
    .values({
      id,
      state: 'draft',
      open_key: OPEN,
      version: 1,
      plan: JSON.stringify(plan),
      run_on: null,
      failure: null,
      outcome: null,
      saved_by: savedBy,
      saved_at: savedAt,
      done_at: null,
    })
    .onConflict((conflict) => conflict.column('open_key').doNothing())
    .execute()
}

export async function saveResult(db: Db, id: string, outcome: RollOverResult): Promise<void> {
  await db
    .updateTable('roll_over')
    .set({ outcome: JSON.stringify(outcome) })
    .where('id', '=', id)
    .execute()
}

/** Deletes a plan that was not executed. Returns false if there is none. */
export async function deleteOpenRollOver(db: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('roll_over')
    .where('id', '=', id)
    .where('open_key', '=', OPEN)
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
    .select(['id', 'first_name', 'last_name', 'email'])
    .where('id', 'in', ids)
    .where('deactivated_by', 'is', null)
    .execute()
  return new Map(
    rows.map(({ id, first_name, last_name, email }) => [id, { name: `${first_name} ${last_name}`, email }]),
  )
}
