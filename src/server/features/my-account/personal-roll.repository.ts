import type { PersonalData } from '#contract/public/account-data.ts'
import type { Db } from '#server/db/database.ts'
import { toIso, toIsoOrNull } from './personal-data.rules.ts'

/** Whether officers recorded that contact is lost or that the person died, and reports of it, without the officers' names. */
export async function personStates(db: Db, accountId: string): Promise<PersonalData['personStates']> {
  const decisions = await db.selectFrom('personState').selectAll().where('accountId', '=', accountId).execute()
  const reports = await db.selectFrom('deathReport').selectAll().where('accountId', '=', accountId).execute()
  return [
    ...decisions.map(({ state, since, sources, decidedAt, undoneAt }) => ({
      what: state,
      since,
      sources: JSON.parse(sources) as string[],
      at: toIso(decidedAt),
      endedAt: toIsoOrNull(undoneAt),
    })),
    ...reports.map(({ source, reportedAt, closedAt }) => ({
      what: 'death reported' as const,
      since: null,
      sources: [source],
      at: toIso(reportedAt),
      endedAt: toIsoOrNull(closedAt),
    })),
  ].sort((one, other) => (one.at < other.at ? -1 : 1))
}

export async function rollCalls(db: Db, accountId: string): Promise<PersonalData['rollCalls']> {
  const rows = await db
    .selectFrom('rollCallMember')
    .innerJoin('rollCall', 'rollCall.id', 'rollCallMember.callId')
    .select(['rollCall.beganAt', 'rollCallMember.answer', 'rollCallMember.how', 'rollCallMember.answeredAt'])
    .where('rollCallMember.accountId', '=', accountId)
    .orderBy('rollCall.beganAt')
    .execute()
  return rows.map(({ beganAt, answer, how, answeredAt }) => ({
    askedAt: toIso(beganAt),
    answer,
    how,
    answeredAt: toIsoOrNull(answeredAt),
  }))
}

export async function rolls(db: Db, accountId: string): Promise<PersonalData['rolls']> {
  const rows = await db
    .selectFrom('rollEntry')
    .innerJoin('roll', 'roll.id', 'rollEntry.rollId')
    .select(['roll.name', 'roll.recordDay', 'firstName', 'lastName', 'level', 'address', 'removedBy'])
    .where('accountId', '=', accountId)
    .orderBy('recordDay')
    .execute()
  return rows.map(({ name, recordDay, firstName, lastName, level, address, removedBy }) => ({
    roll: name,
    recordDay,
    name: `${firstName} ${lastName}`,
    level,
    address,
    isRemoved: removedBy !== null,
  }))
}

export async function rollObjections(db: Db, accountId: string): Promise<PersonalData['rollObjections']> {
  const rows = await db
    .selectFrom('rollObjection')
    .innerJoin('roll', 'roll.id', 'rollObjection.rollId')
    .select(['roll.name', 'text', 'madeAt', 'answer'])
    .where('accountId', '=', accountId)
    .orderBy('madeAt')
    .execute()
  return rows.map(({ name, text, madeAt, answer }) => ({ roll: name, text, madeAt: toIso(madeAt), answer }))
}
