import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import { answersOpenSince, lookAgainBefore } from './credential-recheck.rules.ts'
import { toCredential, type Credential } from './credential.repository.ts'

/** What decides whether credentials are due again. */
export interface RecheckMoment {
  now: number
  /** Day of the association's calendar. */
  today: string
  /** Setting `membership.recheckMonths`; 0: only training that is over comes again. */
  recheckMonths: number
}

/** Approved credentials of present members that are to be looked at again: longest due first, those a question is out about last. */
export async function listDueCredentials(db: Db, moment: RecheckMoment, limit: number): Promise<Credential[]> {
  const rows = await due(db, moment)
    .selectAll('credential')
    .orderBy(isResting(moment.now))
    .orderBy(sql`coalesce(counted_from, decided_at)`)
    .orderBy('credential.id')
    .limit(limit)
    .execute()
  return rows.map(toCredential)
}

/** How many are due and wait for nobody's answer: what officers have to do. */
export async function countDueCredentials(db: Db, moment: RecheckMoment): Promise<number> {
  const row = await due(db, moment)
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .where(isResting(moment.now), '=', 0)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** Of present members, newest, approved, whose training ended before a day. */
export async function listTrainingOver(db: Db, now: number, today: string): Promise<Credential[]> {
  const rows = await approved(db, now)
    .selectAll('credential')
    .where('credential.ends_on', '<', today)
    .orderBy('credential.id')
    .execute()
  return rows.map(toCredential)
}

/** False when it is declined, or replaced by newer ones. */
export async function markAsked(db: Db, id: string, question: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('credential')
    .set({ question, asked_at: now, answered_at: null })
    .where('id', '=', id)
    .where('status', '!=', 'declined')
    .where(isNewest)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Its owner said that it is still right. */
export async function markAnswered(db: Db, id: string, now: number): Promise<void> {
  await db
    .updateTable('credential')
    .set({ answered_at: now })
    .where('id', '=', id)
    .where('asked_at', 'is not', null)
    .execute()
}

/** False when somebody looked at it since, or it is replaced by newer ones. */
export async function markStillRight(
  db: Db,
  id: string,
  { seen, endsOn, now }: { seen: number; endsOn: string | null; now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('credential')
    .set({ counted_from: now, ends_on: endsOn })
    .where('id', '=', id)
    .where('status', '=', 'approved')
    .where(sql`coalesce(counted_from, decided_at)`, '=', seen)
    .where(isNewest)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** False when somebody looked at it since, or it is replaced by newer ones. */
export async function takeBackApproval(
  db: Db,
  id: string,
  { seen, by, reason, now }: { seen: number; by: string; reason: string; now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('credential')
    .set({ status: 'declined', decided_at: now, decided_by: by, evidence: reason, counted_from: null })
    .where('id', '=', id)
    .where('status', '=', 'approved')
    .where(sql`coalesce(counted_from, decided_at)`, '=', seen)
    .where(isNewest)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

const isNewest = sql<boolean>`not exists (
  select 1 from credential as newer where newer.account_id = credential.account_id
  and (newer.given_at > credential.given_at or (newer.given_at = credential.given_at and newer.id > credential.id))
)`

function isResting(now: number) {
  return sql<number>`case when asked_at > ${answersOpenSince(now)} and answered_at is null then 1 else 0 end`
}

function approved(db: Db, now: number) {
  return db
    .selectFrom('credential')
    .innerJoin('account', 'account.id', 'credential.account_id')
    .innerJoin('membership', (join) =>
      join.onRef('membership.account_id', '=', 'account.id').on('membership.is_current', '=', 1),
    )
    .where('credential.status', '=', 'approved')
    .where(isNewest)
    .where('account.deactivated_by', 'is', null)
    .where('membership.ended_at', 'is', null)
    .where((eb) => eb.or([eb('membership.ends_at', 'is', null), eb('membership.ends_at', '>', now)]))
}

function due(db: Db, { now, today, recheckMonths }: RecheckMoment) {
  const before = lookAgainBefore(now, recheckMonths)
  return approved(db, now).where((eb) =>
    eb.or([
      eb('credential.ends_on', '<', today),
      ...(before === null ? [] : [eb(sql<number>`coalesce(counted_from, decided_at)`, '<=', before)]),
    ]),
  )
}
