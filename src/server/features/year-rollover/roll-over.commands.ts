import type { Db } from '#server/db/database.ts'
import type { RollOverTable } from '#server/db/schema/roll-over-schema.ts'
import { type Change, OPEN } from './roll-over.queries.ts'

/**
 * Updates a plan if its state and version are unchanged, and locks it until the transaction ends. Returns false if
 * another change came first.
 */
export async function changeRollOver(
  db: Db,
  { id, state, version }: { id: string; state: RollOverTable['state']; version: number },
  { plan, failure, outcome, ...change }: Change,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('rollOver')
    .set({
      ...change,
      version: version + 1,
      openKey: change.state === 'draft' || change.state === 'scheduled' ? OPEN : null,
      ...(plan && { plan: JSON.stringify(plan) }),
      ...(failure !== undefined && { failure: failure && JSON.stringify(failure) }),
      ...(outcome && { outcome: JSON.stringify(outcome) }),
    })
    .where('id', '=', id)
    .where('state', '=', state)
    .where('version', '=', version)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
