import type { AppContext } from '#server/app-context.ts'
import type { Credentials, submitTraining } from '#contract/public/credentials.ts'
import { dayOf } from '#contract/dates/dates.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { fieldProblem } from '#server/lib/problem.ts'
import { trainingEndJob } from './credential-question.service.ts'
import { markAnswered } from './credential-recheck.repository.ts'
import { validateTrainingEnd } from './credential-recheck.rules.ts'
import { decideCredential, insertCredential, type SubmittedCredential } from './credential.commands.ts'
import { deletePendingCredential } from './credential.repository.ts'
import { findCredential, type Credential } from './credential.queries.ts'
import { sendCredentialDecision } from './credential.emails.ts'

export function createCredentialService(ctx: AppContext) {
  const { db, clock, timeZone } = ctx

  async function give(accountId: string, given: SubmittedCredential): Promise<Credentials> {
    const now = clock.now()
    const credential = await db.transaction().execute(async (tx) => {
      const before = await findCredential(tx, accountId)
      if (before && before.status !== 'declined' && isSame(before, given)) {
        await markAnswered(tx, before.id, now)
        return findCredential(tx, accountId)
      }
      await deletePendingCredential(tx, accountId)
      await insertCredential(tx, accountId, given, now)
      const details = { kind: given.kind }
      await writeAudit(tx, { actor: accountId, action: 'credentials.given', subjectId: accountId, details }, now)
      return findCredential(tx, accountId)
    })
    if (!credential) throw new Error('credentials were given and are not there')
    return toCredentials(credential)
  }

  return {
    async find(accountId: string): Promise<Credentials | null> {
      const found = await findCredential(db, accountId)
      return found && toCredentials(found)
    },

    /** Idempotent: unchanged credentials keep their status, and confirm them if officers asked. */
    submit: (accountId: string, { npi, licenceState }: { npi: string; licenceState: string }): Promise<Credentials> =>
      give(accountId, { kind: 'licence', npi, licenceState, place: null, endsOn: null }),

    /** The same for a member in training. @throws Problem INVALID_INPUT for an end date in the past */
    async submitTraining(
      accountId: string,
      { stage, place, endsOn }: BodyOf<typeof submitTraining>,
    ): Promise<Credentials> {
      const fault = validateTrainingEnd(endsOn, dayOf(clock.now(), timeZone))
      if (fault) throw fieldProblem('endsOn', messages.credentials.endsOn[fault])
      return give(accountId, { kind: stage, npi: '', licenceState: '', place, endsOn })
    },

    /** Asks members whose training has ended about their current status. */
    job: trainingEndJob(ctx),
  }
}

export type CredentialService = ReturnType<typeof createCredentialService>

/** Stores an officer's decision with its evidence and queues the email. False when they were already decided. */
export async function applyCredentialDecision(
  db: AppContext['db'],
  credential: Credential,
  decision: { status: 'approved' | 'declined'; officerId: string; evidence: string; evidenceKind?: string | undefined },
  now: number,
): Promise<boolean> {
  const { status, officerId, evidence, evidenceKind } = decision
  return db.transaction().execute(async (tx) => {
    const isDecided = await decideCredential(tx, credential.id, {
      status,
      decidedBy: officerId,
      evidence,
      evidenceKind: evidenceKind ?? null,
      decidedAt: now,
    })
    if (!isDecided) return false
    const { accountId } = credential
    const details = { credential: credential.id, evidence, ...(evidenceKind && { evidenceKind }) }
    await writeAudit(tx, { actor: officerId, action: `credentials.${status}`, subjectId: accountId, details }, now)
    await addToOutbox(
      tx,
      { effect: sendCredentialDecision, payload: { accountId }, dedupeKey: `credentials:${credential.id}` },
      now,
    )
    return true
  })
}

function isSame(before: Credential, given: SubmittedCredential): boolean {
  return (['kind', 'npi', 'licenceState', 'place', 'endsOn'] as const).every((name) => before[name] === given[name])
}

function toCredentials(credential: Credential): Credentials {
  const { kind, npi, licenceState, place, endsOn, status, givenAt, decidedAt, evidence, question } = credential
  return {
    kind,
    npi,
    licenceState,
    place,
    endsOn,
    status,
    givenAt: new Date(givenAt).toISOString(),
    decidedAt: decidedAt === null ? null : new Date(decidedAt).toISOString(),
    // The evidence for an approval is for officers only.
    reason: status === 'declined' ? evidence : null,
    question: status === 'declined' || credential.answeredAt !== null ? null : question,
  }
}
