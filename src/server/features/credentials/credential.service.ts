import { isDeepStrictEqual } from 'node:util'
import type { AppContext } from '#server/app-context.ts'
import { checkAnswers, toStored } from '#contract/credentials/check-answers.ts'
import { kindOf, storeOf, type SubmittedAnswers } from '#contract/credentials/credential-kinds.ts'
import type { Credentials } from '#contract/public/credentials.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { messages } from '#contract/messages.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { Problem } from '#server/lib/problem.ts'
import { trainingEndJob } from './credential-question.service.ts'
import { markAnswered } from './credential-recheck.repository.ts'
import { validateTrainingEnd } from './credential-recheck.rules.ts'
import { decideCredential, insertCredential } from './credential.commands.ts'
import { deletePendingCredential } from './credential.repository.ts'
import { findCredential, toAnswers, type Credential } from './credential.queries.ts'
import { sendCredentialDecision } from './credential.emails.ts'

export function createCredentialService(ctx: AppContext) {
  const { db, cache, clock, timeZone } = ctx

  const kinds = () => cache.content().credentialKinds

  async function give(accountId: string, given: SubmittedAnswers): Promise<Credentials> {
    const now = clock.now()
    const credential = await db.transaction().execute(async (tx) => {
      const before = await findCredential(tx, accountId)
      if (before && before.status !== 'declined' && isSame(before, given)) {
        await markAnswered(tx, before.id, now)
        return findCredential(tx, accountId)
      }
      if (kindOf(kinds(), given.kind).isRetired)
        throw new Problem('NOT_FOUND', { message: messages.credentials.retired })
      await deletePendingCredential(tx, accountId)
      await insertCredential(tx, accountId, given, now)
      const details = { kind: given.kind }
      await writeAudit(tx, { actor: accountId, action: 'credentials.given', subjectId: accountId, details }, now)
      return findCredential(tx, accountId)
    })
    if (!credential) throw new Error('credentials were given and are not there')
    return toCredentials(credential)
  }

  /**
   * Idempotent: unchanged credentials keep their status, and confirm them if officers asked.
   * @param values by the keys of the fields
   * @throws Problem NOT_FOUND for a kind that is not asked for, INVALID_INPUT for answers that cannot be right, such as an end of training in the past
   */
  async function submit(
    accountId: string,
    kindKey: string,
    given: Readonly<Record<string, string>>,
  ): Promise<Credentials> {
    const kind = kinds().find(({ key }) => key === kindKey)
    if (!kind) throw new Problem('NOT_FOUND', { message: messages.credentials.retired })
    const { values, errors } = checkAnswers(kind, given)
    const end = kind.fields.find(({ check }) => check === 'end')
    const endsOn = end && values[end.key]
    const fault = endsOn ? validateTrainingEnd(endsOn, dayOf(clock.now(), timeZone)) : null
    if (end && fault) errors[end.key] ??= messages.credentials.endsOn[fault]
    if (Object.keys(errors).length > 0) throw new Problem('INVALID_INPUT', { fields: errors })
    return give(accountId, toStored(kind, values))
  }

  return {
    /** In the order of the form, retired ones too. */
    kinds,

    async find(accountId: string): Promise<Credentials | null> {
      const found = await findCredential(db, accountId)
      return found && toCredentials(found)
    },

    submit,

    /** The same by the names of the first kinds: officers may have changed the keys of the fields. */
    submitFirst(
      accountId: string,
      kindKey: string,
      given: Partial<Record<'npi' | 'licenceState' | 'place' | 'endsOn', string>>,
    ): Promise<Credentials> {
      const fields = kinds().find(({ key }) => key === kindKey)?.fields ?? []
      const values = fields.flatMap(({ key, check }) => {
        const name = storeOf(check)
        return name ? [[key, given[name] ?? '']] : []
      })
      return submit(accountId, kindKey, Object.fromEntries(values))
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

function isSame(before: Credential, given: SubmittedAnswers): boolean {
  const isSameText = (['kind', 'npi', 'licenceState', 'place', 'endsOn'] as const).every(
    (name) => before[name] === given[name],
  )
  return isSameText && isDeepStrictEqual(before.answers, given.answers ?? {})
}

function toCredentials(credential: Credential): Credentials {
  const { status, givenAt, decidedAt, evidence, question } = credential
  return {
    ...toAnswers(credential),
    status,
    givenAt: new Date(givenAt).toISOString(),
    decidedAt: decidedAt === null ? null : new Date(decidedAt).toISOString(),
    // The evidence for an approval is for officers only.
    reason: status === 'declined' ? evidence : null,
    question: status === 'declined' || credential.answeredAt !== null ? null : question,
  }
}
