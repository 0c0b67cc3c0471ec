import { sql } from 'kysely'
import { type ReadJson, readJson } from '#server/db/schema/column-values.ts'
import type { Db } from '#server/db/database.ts'
import type { RollOverTable } from '#server/db/schema/roll-over-schema.ts'
import type { RollOverPlan } from '#contract/console/roll-over.ts'
import type { RollOverResult } from './roll-over-result.rules.ts'

export const OPEN = 'open'

export type StoredRollOver = ReadJson<RollOverTable, 'plan' | 'failure' | 'outcome'> & { savedByName: string | null }

/** Returns the plan that is a draft or scheduled. */
export async function findOpenRollOver(db: Db): Promise<StoredRollOver | null> {
  const row = await selectRollOver(db).where('openKey', '=', OPEN).executeTakeFirst()
  return row ? readRollOver(row) : null
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
    .select(sql<string | null>`trim(account.first_name || ' ' || account.last_name)`.as('savedByName'))
}

export function readRollOver<Row extends RollOverTable>(row: Row) {
  return readJson(row, 'plan', 'failure', 'outcome')
}
