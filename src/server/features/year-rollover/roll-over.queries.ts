import type { Db } from '#server/db/database.ts'
import type { RollOverTable } from '#server/db/schema/roll-over-schema.ts'
import type { RollOverPlan } from '#contract/console/roll-over.ts'
import type { RollOverResult } from './roll-over-result.rules.ts'

export const OPEN = 'open'

export interface StoredRollOver {
  id: string
  state: RollOverTable['state']
  version: number
  plan: RollOverPlan
  runOn: string | null
  failure: string[]
  outcome: RollOverResult | null
  savedBy: string
  savedByName: string | null
  savedAt: number
  doneAt: number | null
}

/** Returns the plan that is a draft or scheduled. */
export async function findOpenRollOver(db: Db): Promise<StoredRollOver | null> {
  const row = await selectRollOver(db).where('open_key', '=', OPEN).executeTakeFirst()
  return row ? toRollOver(row) : null
}

export type Change = Partial<Pick<RollOverTable, 'saved_by' | 'saved_at' | 'run_on' | 'done_at'>> & {
  state: RollOverTable['state']
  plan?: RollOverPlan
  failure?: string[] | null
  outcome?: RollOverResult
}

export function selectRollOver(db: Db) {
  return db
    .selectFrom('roll_over')
    .leftJoin('account', 'account.id', 'roll_over.saved_by')
    .selectAll('roll_over')
    .select(['account.first_name', 'account.last_name'])
}

export function toRollOver({
  first_name: first,
  last_name: last,
  ...row
}: RollOverTable & { first_name: string | null; last_name: string | null }): StoredRollOver {
  return {
    id: row.id,
    state: row.state,
    version: row.version,
    plan: JSON.parse(row.plan) as RollOverPlan,
    runOn: row.run_on,
    failure: row.failure === null ? [] : (JSON.parse(row.failure) as string[]),
    outcome: row.outcome === null ? null : (JSON.parse(row.outcome) as RollOverResult),
    savedBy: row.saved_by,
    savedByName: first === null ? null : `${first} ${last ?? ''}`.trim(),
    savedAt: row.saved_at,
    doneAt: row.done_at,
  }
}
