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
  const row = await selectRollOver(db).where('openKey', '=', OPEN).executeTakeFirst()
  return row ? toRollOver(row) : null
}

export type Change = Partial<Pick<RollOverTable, 'savedBy' | 'savedAt' | 'runOn' | 'doneAt'>> & {
  state: RollOverTable['state']
  plan?: RollOverPlan
  failure?: string[] | null
  outcome?: RollOverResult
}

export function selectRollOver(db: Db) {
  return db
    .selectFrom('rollOver')
    .leftJoin('account', 'account.id', 'rollOver.savedBy')
    .selectAll('rollOver')
    .select(['account.firstName', 'account.lastName'])
}

export function toRollOver({
  firstName: first,
  lastName: last,
  ...row
}: RollOverTable & { firstName: string | null; lastName: string | null }): StoredRollOver {
  return {
    id: row.id,
    state: row.state,
    version: row.version,
    plan: JSON.parse(row.plan) as RollOverPlan,
    runOn: row.runOn,
    failure: row.failure === null ? [] : (JSON.parse(row.failure) as string[]),
    outcome: row.outcome === null ? null : (JSON.parse(row.outcome) as RollOverResult),
    savedBy: row.savedBy,
    savedByName: first === null ? null : `${first} ${last ?? ''}`.trim(),
    savedAt: row.savedAt,
    doneAt: row.doneAt,
  }
}
