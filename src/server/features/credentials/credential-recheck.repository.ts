import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import { openQuestionsSince, recheckCutoff } from './credential-recheck.rules.ts'
import { refreshListedMembers, STORED_MEMBERS } from '#server/features/listed-members/listed-members.queries.ts'
import type { StatusContext } from '#server/features/memberships/membership-state.queries.ts'
import { isNewest, toCredential, type Credential } from './credential.queries.ts'

/** Decides which credentials are due for a recheck. */
export interface RecheckContext extends StatusContext {
  /** In the association's time zone. */
  today: string
  /** Setting `membership.recheckMonths`; with 0, only training that has ended is rechecked. */
  recheckMonths: number
}

/** Approved credentials of current members that are due for a recheck: longest due first, those with an open question last. */
export async function listDueCredentials(db: Db, moment: RecheckContext, limit: number): Promise<Credential[]> {
  await refreshListedMembers(db, moment)
  const first = (query: ReturnType<typeof due>, count: number) =>
    query
      .innerJoin('credential', 'credential.id', 'listed.credentialId')
      .selectAll('credential')
      .orderBy('listed.credentialsCountedFrom')
      .orderBy('listed.credentialId')
      .limit(count)
      .execute()
  const rows = await first(due(db, moment).where(isResting(moment), '=', 0), limit)
  // One after the other: sorted at once, all that are due would be read for the first of them.
  if (rows.length < limit)
    rows.push(...(await first(due(db, moment).where(isResting(moment), '=', 1), limit - rows.length)))
  return rows.map(toCredential)
}

/** How many are due without an open question: the officers' work list. */
export async function countDueCredentials(db: Db, moment: RecheckContext): Promise<number> {
  await refreshListedMembers(db, moment)
  const row = await due(db, moment)
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .where(isResting(moment), '=', 0)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** The newest approved credentials of current members whose training ended before a day. */
export async function listEndedTraining(
  db: Db,
  { today, ...moment }: Omit<RecheckContext, 'recheckMonths'>,
): Promise<Credential[]> {
  await refreshListedMembers(db, moment)
  const rows = await approved(db)
    .innerJoin('credential', 'credential.id', 'listed.credentialId')
    .selectAll('credential')
    .where('listed.credentialsEndOn', '<', today)
    .orderBy('credential.id')
    .execute()
  return rows.map(toCredential)
}

/** The member confirmed that the credentials are still correct. */
export async function markAnswered(db: Db, id: string, now: number): Promise<void> {
  await db
    .updateTable('credential')
    .set({ answeredAt: now })
    .where('id', '=', id)
    .where('askedAt', 'is not', null)
    .execute()
}

/** False when it was reviewed since, or replaced by newer credentials. */
export async function confirmApproval(
  db: Db,
  id: string,
  { seen, endsOn, now }: { seen: number; endsOn: string | null; now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('credential')
    .set({ countedFrom: now, endsOn })
    .where('id', '=', id)
    .where('status', '=', 'approved')
    .where(sql`coalesce(counted_from, decided_at)`, '=', seen)
    .where(isNewest)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** False when it was reviewed since, or replaced by newer credentials. */
export async function revokeApproval(
  db: Db,
  id: string,
  { seen, by, reason, now }: { seen: number; by: string; reason: string; now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('credential')
    .set({ status: 'declined', decidedAt: now, decidedBy: by, evidence: reason, countedFrom: null })
    .where('id', '=', id)
    .where('status', '=', 'approved')
    .where(sql`coalesce(counted_from, decided_at)`, '=', seen)
    .where(isNewest)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

function isResting({ now }: RecheckContext) {
  return sql<number>`case when listed.credentials_asked_at > ${openQuestionsSince(now)} then 1 else 0 end`
}

/** Members with rights whose newest credentials are approved. Call `refreshListedMembers` first. */
function approved(db: Db) {
  return db
    .selectFrom(STORED_MEMBERS.as('listed'))
    .where('listed.credentials', '=', 'approved')
    .where('listed.state', 'in', ['ACTIVE', 'PAST_DUE'])
}

function due(db: Db, { now, today, recheckMonths }: RecheckContext) {
  const before = recheckCutoff(now, recheckMonths)
  return approved(db).where((eb) =>
    eb.or([
      eb('listed.credentialsEndOn', '<', today),
      ...(before === null ? [] : [eb('listed.credentialsCountedFrom', '<=', before)]),
    ]),
  )
}
