import type { SubmittedAnswers } from '#contract/credentials/credential-kinds.ts'
import type { Db } from '#server/db/database.ts'
import { newId } from '#server/lib/ids.ts'
import { isNewest } from './credential.queries.ts'

/** Submitted credentials of any kind. */
export type SubmittedCredential = SubmittedAnswers

/** Stores credentials that await review and returns their id. */
export async function insertCredential(
  db: Db,
  accountId: string,
  { kind, npi, licenceState, place, endsOn, answers = {} }: SubmittedCredential,
  now: number,
): Promise<string> {
  const id = newId(now)
  await db
    .insertInto('credential')
    .values({
      id,
      accountId,
      kind,
      npi,
      licenceState,
      place,
      endsOn,
      givenAt: now,
      status: 'waiting',
      decidedAt: null,
      decidedBy: null,
      evidence: null,
      evidenceKind: null,
      countedFrom: null,
      question: null,
      askedAt: null,
      answeredAt: null,
      answers: Object.keys(answers).length > 0 ? JSON.stringify(answers) : null,
    })
    .execute()
  return id
}

/** False when they were already decided. */
export async function decideCredential(
  db: Db,
  id: string,
  decision: {
    status: 'approved' | 'declined'
    decidedBy: string
    evidence: string
    evidenceKind: string | null
    decidedAt: number
  },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('credential')
    .set({
      status: decision.status,
      decidedBy: decision.decidedBy,
      evidence: decision.evidence,
      evidenceKind: decision.evidenceKind,
      decidedAt: decision.decidedAt,
      countedFrom: decision.status === 'approved' ? decision.decidedAt : null,
    })
    .where('id', '=', id)
    .where('status', '=', 'waiting')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** False when it was declined or replaced by newer credentials. */
export async function saveQuestion(db: Db, id: string, question: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('credential')
    .set({ question, askedAt: now, answeredAt: null })
    .where('id', '=', id)
    .where('status', '!=', 'declined')
    .where(isNewest)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
