import type { Kysely } from 'kysely'
import type { Association } from '#contract/association.ts'
import type { Credentials, giveTraining } from '#contract/credentials.ts'
import { dayOf } from '#contract/dates.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import type { Schema } from '#server/db/schema.ts'
import type { OutgoingLetter } from '#server/mail/letter.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Job } from '#server/platform/job-runner.ts'
import { addToOutbox } from '#server/platform/outbox.repository.ts'
import { fieldProblem } from '#server/platform/problem.ts'
import { findAccount } from '../account/account.repository.ts'
import { trainingEndJob } from './credential-question.ts'
import { markAnswered } from './credential-recheck.repository.ts'
import { trainingEndFault } from './credential-recheck.rules.ts'
import { credentialLetter, credentialQuestionLetter } from './credential.emails.ts'
import {
  decideCredential,
  findCredential,
  insertCredential,
  withdrawWaiting,
  type Credential,
  type Given,
} from './credential.repository.ts'

export interface CredentialService {
  find(accountId: string): Promise<Credentials | null>
  /** The same as before changes nothing, also when it was approved; where officers asked, it says that it is still right. */
  give(accountId: string, given: { npi: string; licenceState: string }): Promise<Credentials>
  /** The same for somebody in training. @throws Problem INVALID_INPUT for a day that is over */
  giveTraining(accountId: string, given: BodyOf<typeof giveTraining>): Promise<Credentials>
  letters: Record<string, (payload: Record<string, unknown>) => Promise<OutgoingLetter | null>>
  /** Asks whose training is over what they are now. */
  job: Job
}

export function createCredentialService(tools: {
  db: Kysely<Schema>
  clock: Clock
  siteUrl: string
  timeZone: string
  association(): Promise<Association>
  wakeOutbox(): void
}): CredentialService {
  const { db, clock, siteUrl, timeZone, association } = tools
  const accountUrl = `${siteUrl}/auth/account`

  async function give(accountId: string, given: Given): Promise<Credentials> {
    const now = clock.now()
    const credential = await db.transaction().execute(async (tx) => {
      const before = await findCredential(tx, accountId)
      if (before && before.status !== 'declined' && isSame(before, given)) {
        await markAnswered(tx, before.id, now)
        return findCredential(tx, accountId)
      }
      await withdrawWaiting(tx, accountId)
      await insertCredential(tx, accountId, given, now)
      const details = { kind: given.kind }
      await writeAudit(tx, { actor: accountId, action: 'credentials.given', subjectId: accountId, details }, now)
      return findCredential(tx, accountId)
    })
    if (!credential) throw new Error('credentials were given and are not there')
    return toCredentials(credential)
  }

  return {
    async find(accountId) {
      const found = await findCredential(db, accountId)
      return found && toCredentials(found)
    },

    give: (accountId, { npi, licenceState }) =>
      give(accountId, { kind: 'licence', npi, licenceState, place: null, endsOn: null }),

    async giveTraining(accountId, { stage, place, endsOn }) {
      const fault = trainingEndFault(endsOn, dayOf(clock.now(), timeZone))
      if (fault) throw fieldProblem('endsOn', messages.credentials.endsOn[fault])
      return give(accountId, { kind: stage, npi: '', licenceState: '', place, endsOn })
    },

    letters: {
      async 'letter.credentials'({ accountId }) {
        const account = await findAccount(db, String(accountId))
        const credential = account && (await findCredential(db, account.id))
        if (!account || !credential || credential.status === 'waiting') return null
        const { kind, place, status, evidence: reason } = credential
        const words = { firstName: account.firstName, isApproved: status === 'approved', kind, place, reason }
        return { ...credentialLetter(words, accountUrl, await association()), to: account.email }
      },

      async 'letter.credentials_question'({ accountId, credentialId, askedAt }) {
        const account = await findAccount(db, String(accountId))
        const credential = account && (await findCredential(db, account.id))
        // Answered, declined or replaced before it was sent; asked anew, the newer letter asks.
        if (!credential || credential.id !== credentialId || credential.askedAt !== askedAt) return null
        if (account.deactivatedBy !== null || credential.status === 'declined' || credential.answeredAt) return null
        const isTrainingOver = credential.endsOn !== null && credential.endsOn < dayOf(clock.now(), timeZone)
        const words = { firstName: account.firstName, question: credential.question ?? '', isTrainingOver }
        const links = { accountUrl, levelsUrl: `${siteUrl}/become-a-member` }
        return { ...credentialQuestionLetter(words, links, await association()), to: account.email }
      },
    },

    job: trainingEndJob(tools),
  }
}

/** An officer's decision with its evidence, and the letter that tells it. False when somebody decided before. */
export async function decide(
  db: Kysely<Schema>,
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
      { kind: 'letter.credentials', payload: { accountId }, dedupeKey: `credentials:${credential.id}` },
      now,
    )
    return true
  })
}

function isSame(before: Credential, given: Given): boolean {
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
    // What was looked at to approve is the officers' business.
    reason: status === 'declined' ? evidence : null,
    question: status === 'declined' || credential.answeredAt !== null ? null : question,
  }
}
