import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import { type ReadJson, readJson } from '#server/db/schema/column-values.ts'
import type { RollCallMemberTable, RollCallTable } from '#server/db/schema/roll-schema.ts'

export type StoredRollCall = ReadJson<RollCallTable, 'levels'>

export async function findRollCall(db: Db, id: string): Promise<StoredRollCall | null> {
  const row = await db.selectFrom('rollCall').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? readJson(row, 'levels') : null
}

/** Newest first. */
export async function listStoredRollCalls(db: Db): Promise<StoredRollCall[]> {
  const rows = await db.selectFrom('rollCall').selectAll().orderBy('beganAt', 'desc').orderBy('id', 'desc').execute()
  return rows.map((row) => readJson(row, 'levels'))
}

export function isRollCallOpen({ openKey, closesAt }: StoredRollCall, now: number): boolean {
  return openKey !== null && closesAt > now
}

/** The open roll call that asks an account, and its row in it; null if none does. */
export async function findOpenQuestion(
  db: Db,
  accountId: string,
  now: number,
): Promise<{ call: StoredRollCall; member: RollCallMemberTable } | null> {
  const row = await db
    .selectFrom('rollCall')
    .selectAll()
    .where('openKey', '=', 'open')
    .where('closesAt', '>', now)
    .executeTakeFirst()
  const member = row && (await findAsked(db, { callId: row.id, accountId }))
  return row && member ? { call: readJson(row, 'levels'), member } : null
}

/** The row of a person whom a roll call asks; null for others. */
export async function findAsked(
  db: Db,
  { callId, accountId }: { callId: string; accountId: string },
): Promise<RollCallMemberTable | null> {
  const row = await db
    .selectFrom('rollCallMember')
    .selectAll()
    .where('callId', '=', callId)
    .where('accountId', '=', accountId)
    .executeTakeFirst()
  return row ?? null
}

/** Rows that the remaining account of a merge does not have itself. */
export async function listMovingAnswers(db: Db, { from, to }: { from: string; to: string }): Promise<string[]> {
  const rows = await db
    .selectFrom('rollCallMember')
    .select('id')
    .where('accountId', '=', from)
    .where('callId', 'not in', (eb) => eb.selectFrom('rollCallMember').select('callId').where('accountId', '=', to))
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * Silent in this roll call and in the one that asked the person before, not lost already, and not heard of since: no later answer, no end of lost contact.
 * Ids of roll calls are in the order of their beginnings.
 */
export const isProposed = sql<boolean>`(
  member.answer is null and state.id is null and account.deactivated_by is null and 1 = (
    select case when before.answer is null then 1 else 0 end from roll_call_member before
    where before.account_id = member.account_id and before.call_id < member.call_id
    order by before.call_id desc limit 1)
  and not exists (
    select 1 from roll_call_member later
    where later.account_id = member.account_id and later.answer is not null and later.call_id > member.call_id)
  and not exists (
    select 1 from person_state found
    where found.account_id = member.account_id and found.state = 'lost' and found.undone_at > roll_call.began_at))`
