import type { Db } from '#server/db/database.ts'
import type { RollOverTable } from '#server/db/roll-over-schema.ts'
import type { RollOverPlan } from '#contract/console-roll-over.ts'
import type { Outcome } from './roll-over-outcome.ts'

const OPEN = 'open'

export interface StoredRollOver {
  id: string
  state: RollOverTable['state']
  version: number
  plan: RollOverPlan
  runOn: string | null
  failure: string[]
  outcome: Outcome | null
  savedBy: string
  savedByName: string | null
  savedAt: number
  doneAt: number | null
}

/** The plan that is a draft or scheduled. */
export async function findOpen(db: Db): Promise<StoredRollOver | null> {
  const row = await chosen(db).where('open_key', '=', OPEN).executeTakeFirst()
  return row ? toRollOver(row) : null
}

export async function findRollOver(db: Db, id: string): Promise<StoredRollOver | null> {
  const row = await chosen(db).where('roll_over.id', '=', id).executeTakeFirst()
  return row ? toRollOver(row) : null
}

/** What was done last, unless it was undone. */
export async function findLastDone(db: Db): Promise<StoredRollOver | null> {
  const row = await chosen(db).where('state', '=', 'done').orderBy('done_at', 'desc').limit(1).executeTakeFirst()
  return row ? toRollOver(row) : null
}

/** Those whose day has come. */
export async function listDue(db: Db, today: string): Promise<StoredRollOver[]> {
  const rows = await chosen(db).where('state', '=', 'scheduled').where('run_on', '<=', today).execute()
  return rows.map(toRollOver)
}

/** Does nothing where one is open already. */
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

type Change = Partial<Pick<RollOverTable, 'saved_by' | 'saved_at' | 'run_on' | 'done_at'>> & {
  state: RollOverTable['state']
  plan?: RollOverPlan
  failure?: string[] | null
  outcome?: Outcome
}

/** Changes it if it is still what the caller has seen, and holds it until the transaction ends. False when somebody was quicker. */
export async function changeRollOver(
  db: Db,
  { id, state, version }: { id: string; state: RollOverTable['state']; version: number },
  { plan, failure, outcome, ...change }: Change,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('roll_over')
    .set({
      ...change,
      version: version + 1,
      open_key: change.state === 'draft' || change.state === 'scheduled' ? OPEN : null,
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

export async function keepOutcome(db: Db, id: string, outcome: Outcome): Promise<void> {
  await db
    .updateTable('roll_over')
    .set({ outcome: JSON.stringify(outcome) })
    .where('id', '=', id)
    .execute()
}

/** Forgets a plan that was not done. False when there is none. */
export async function removeOpen(db: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('roll_over')
    .where('id', '=', id)
    .where('open_key', '=', OPEN)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Of these accounts those that can log in. */
export async function findMembers(
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

function chosen(db: Db) {
  return db
    .selectFrom('roll_over')
    .leftJoin('account', 'account.id', 'roll_over.saved_by')
    .selectAll('roll_over')
    .select(['account.first_name', 'account.last_name'])
}

function toRollOver({
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
    outcome: row.outcome === null ? null : (JSON.parse(row.outcome) as Outcome),
    savedBy: row.saved_by,
    savedByName: first === null ? null : `${first} ${last ?? ''}`.trim(),
    savedAt: row.saved_at,
    doneAt: row.done_at,
  }
}
