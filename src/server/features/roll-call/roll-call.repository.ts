import { sql } from 'kysely'
import { type RollCall, type RollCallHow, type RollCallPart } from '#contract/console/people/roll-call.ts'
import type { RollWay } from '#contract/console/people/roll.ts'
import type { RollCallAnswer } from '#contract/public/my-account/still-here.ts'
import type { Db, Tx } from '#server/db/database.ts'
import { queryInChunks } from '#server/db/chunked-queries.ts'
import { newId } from '#server/lib/ids.ts'
import { isProposed, type StoredRollCall } from './roll-call.queries.ts'

const ROWS_PER_INSERT = 50

/** Opens a roll call; false if another one is open. */
export async function insertRollCall(
  db: Db,
  call: Pick<StoredRollCall, 'id' | 'levels' | 'beganAt' | 'beganBy' | 'closesOn' | 'closesAt'>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('rollCall')
    .values({ ...call, levels: JSON.stringify(call.levels), closedBy: null, openKey: 'open' })
    .onConflict((conflict) => conflict.column('openKey').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Closes the roll call whose last day is over. */
export async function closeOverdue(db: Db, now: number): Promise<void> {
  await db
    .updateTable('rollCall')
    .set({ openKey: null })
    .where('openKey', '=', 'open')
    .where('closesAt', '<=', now)
    .execute()
}

/** False if it was closed already. */
export async function saveClosed(db: Db, id: string, { by, now }: { by: string; now: number }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('rollCall')
    .set({ openKey: null, closedBy: by, closesAt: now })
    .where('id', '=', id)
    .where('openKey', '=', 'open')
    .where('closesAt', '>', now)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function insertAsked(
  db: Db,
  callId: string,
  people: readonly { accountId: string; way: RollWay }[],
  now: number,
): Promise<void> {
  const empty = { queuedAt: null, answer: null, answeredAt: null, how: null, answeredBy: null }
  await queryInChunks(
    people,
    async (some) => {
      const rows = some.map((person) => ({ id: newId(now), callId, ...person, ...empty }))
      await db.insertInto('rollCallMember').values(rows).execute()
      return []
    },
    ROWS_PER_INSERT,
  )
}

/** The next people whose email is not queued yet, marked as queued. */
export async function takeUnqueued(
  tx: Tx,
  callId: string,
  { limit, now }: { limit: number; now: number },
): Promise<string[]> {
  const next = await tx
    .selectFrom('rollCallMember')
    .select('id')
    .where('callId', '=', callId)
    .where('way', '=', 'email')
    .where('queuedAt', 'is', null)
    .orderBy('id')
    .limit(limit)
    .execute()
  if (next.length === 0) return []
  const taken = await tx
    .updateTable('rollCallMember')
    .set({ queuedAt: now })
    .where(
      'id',
      'in',
      next.map(({ id }) => id),
    )
    .where('queuedAt', 'is', null)
    .returning('accountId')
    .execute()
  return taken.map(({ accountId }) => accountId)
}

/** Stores the last answer; one that is the same keeps its time. */
export async function saveAnswer(
  db: Db,
  id: string,
  answer: { answer: RollCallAnswer; how: RollCallHow; answeredBy: string | null; now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('rollCallMember')
    .set({ answer: answer.answer, how: answer.how, answeredBy: answer.answeredBy, answeredAt: answer.now })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('answer', 'is', null), eb('answer', '!=', answer.answer)]))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

function asked(db: Db, callId: string) {
  return db
    .selectFrom('rollCallMember as member')
    .innerJoin('rollCall', 'rollCall.id', 'member.callId')
    .innerJoin('account', 'account.id', 'member.accountId')
    .leftJoin('personState as state', (join) =>
      join.onRef('state.activeKey', '=', 'member.accountId').on('state.state', '=', 'lost'),
    )
    .where('member.callId', '=', callId)
}

export async function countAnswers(db: Db, callId: string): Promise<RollCall['counts']> {
  const tally = (condition: ReturnType<typeof sql<boolean>>) =>
    sql<number | string>`coalesce(sum(case when ${condition} then 1 else 0 end), 0)`
  const row = await asked(db, callId)
    .select([
      sql<number | string>`count(*)`.as('asked'),
      tally(sql`member.answer = 'here'`).as('here'),
      tally(sql`member.answer = 'moved'`).as('moved'),
      tally(sql`member.answer = 'not-me'`).as('notMe'),
      tally(sql`member.answer = 'died'`).as('died'),
      tally(sql`member.answer is null`).as('silent'),
      tally(isProposed).as('proposed'),
      tally(sql`state.id is not null`).as('lost'),
      tally(sql`member.answer in ('here', 'moved') and state.id is null and account.deactivated_by is null`).as(
        'reached',
      ),
    ])
    .executeTakeFirstOrThrow()
  return Object.fromEntries(Object.entries(row).map(([key, count]) => [key, Number(count)])) as RollCall['counts']
}

const PARTS: Record<RollCallPart, ReturnType<typeof sql<boolean>>> = {
  all: sql<boolean>`1 = 1`,
  answered: sql<boolean>`member.answer is not null`,
  silent: sql<boolean>`member.answer is null`,
  proposed: isProposed,
}

/** A part of the list by name. @param page null: everyone */
export async function listAsked(
  db: Db,
  callId: string,
  { part, page }: { part: RollCallPart; page: { number: number; size: number } | null },
) {
  let query = asked(db, callId)
    .leftJoin('membership', (join) =>
      join.onRef('membership.accountId', '=', 'account.id').on('membership.isCurrent', '=', 1),
    )
    .where(PARTS[part])
    .select([
      'member.id',
      'member.accountId',
      'member.way',
      'member.answer',
      'member.answeredAt',
      'member.how',
      'member.answeredBy',
      'account.firstName',
      'account.lastName',
      'account.deactivatedBy',
      'membership.levelKey',
      'state.id as lostId',
    ])
    .orderBy('account.lastName')
    .orderBy('account.firstName')
    .orderBy('account.id')
  if (page !== null) query = query.limit(page.size).offset((page.number - 1) * page.size)
  return query.execute()
}
