import type { AppContext } from '#server/app-context.ts'
import type {
  CredentialRecheck,
  confirmCredential,
  decideCredential,
  CredentialDeskLists,
  PendingCredential,
  RegistryLookup,
  revokeCredential,
} from '#contract/console/credentials.ts'
import { hasNpi, kindOf } from '#contract/credentials/credential-kinds.ts'
import { dayOf } from '#contract/dates/dates.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import { isNpi } from '#contract/credentials/npi.ts'
import type { Officer } from '#server/http/serve.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { fieldProblem, Problem } from '#server/lib/problem.ts'
import { findNamesAndEmails } from '#server/features/accounts/account.queries.ts'
import type { ActAuthorizer } from '#server/features/officers/approvals/act-guard.service.ts'
import type { OfficerAct } from '#server/features/officers/officer-acts.rules.ts'
import { saveCredentialQuestion } from './credential-question.service.ts'
import {
  countDueCredentials,
  listDueCredentials,
  confirmApproval,
  revokeApproval,
} from './credential-recheck.repository.ts'
import { recheckCutoff, validateTrainingEnd, recheckReason } from './credential-recheck.rules.ts'
import {
  countCredentialsToReview,
  findCredentialById,
  findLastDeclineReasons,
  listWaitingCredentials,
} from './credential.repository.ts'
import { toAnswers, type Credential } from './credential.queries.ts'
import { compareWithRegistry } from './npi-registry.rules.ts'
import { createNpiRegistry } from './npi-registry.service.ts'
import { applyCredentialDecision } from './credential.service.ts'
import { sendCredentialDecision } from './credential.emails.ts'

/** Rechecks listed at a time; the rest follow when these are done. */
const AGAIN_SHOWN = 50

type People = Awaited<ReturnType<typeof findNamesAndEmails>>

/** Every action throws Problem NOT_FOUND, and CHANGED_MEANWHILE after a concurrent change. */
export function createCredentialReviewService(
  ctx: AppContext,
  {
    guard,
  }: {
    guard: ActAuthorizer
  },
) {
  const { db, cache, clock, timeZone, graceMs, wakeOutbox, settings } = ctx
  const registry = createNpiRegistry(ctx)
  const kinds = () => cache.content().credentialKinds
  const today = () => dayOf(clock.now(), timeZone)
  const moment = () => ({
    now: clock.now(),
    graceMs: graceMs(),
    today: today(),
    recheckMonths: settings().membership.recheckMonths,
  })

  function describe(credential: Credential, people: People) {
    const { id, accountId, npi, givenAt } = credential
    const { question, askedAt, answeredAt } = credential
    const owner = people.get(accountId)
    return {
      id,
      accountId,
      ...toAnswers(credential),
      name: owner?.name ?? accountId,
      email: owner?.email ?? '',
      npiFits: isNpi(npi),
      givenAt: iso(givenAt),
      asked:
        question === null || askedAt === null
          ? null
          : { question, at: iso(askedAt), answeredAt: answeredAt === null ? null : iso(answeredAt) },
    }
  }

  async function describeWaiting(credentials: readonly Credential[]): Promise<PendingCredential[]> {
    const accountIds = credentials.map(({ accountId }) => accountId)
    const [people, refusals] = await Promise.all([
      findNamesAndEmails(db, accountIds),
      findLastDeclineReasons(db, accountIds),
    ])
    return credentials.map((credential) => ({
      ...describe(credential, people),
      declinedBefore: refusals.get(credential.accountId) ?? null,
    }))
  }

  async function describeAgain(credentials: readonly Credential[]): Promise<CredentialRecheck[]> {
    const accountIds = credentials.map(({ accountId }) => accountId)
    const people = await findNamesAndEmails(db, accountIds)
    const before = recheckCutoff(clock.now(), settings().membership.recheckMonths)
    return credentials.map((credential) => {
      const { endsOn, evidence } = credential
      const countedFrom = credential.countedFrom ?? 0
      const why = recheckReason({ endsOn, countedFrom }, { today: today(), before }) ?? 'time'
      return { ...describe(credential, people), lookedAt: iso(countedFrom), evidence, why }
    })
  }

  /** Requires credentials that this officer may review: not their own. */
  async function requireCredential(act: OfficerAct, by: Officer, id: string): Promise<Credential> {
    const credential = await findCredentialById(db, id)
    if (!credential) throw new Problem('NOT_FOUND')
    await guard.require(db, { act, by: by.accountId, on: credential.accountId })
    return credential
  }

  return {
    /** Credentials awaiting review and those due for a recheck, oldest first. */
    async lists(): Promise<CredentialDeskLists> {
      const [waiting, again, againTotal] = await Promise.all([
        listWaitingCredentials(db),
        listDueCredentials(db, moment(), AGAIN_SHOWN),
        countDueCredentials(db, moment()),
      ])
      return {
        waiting: await describeWaiting(waiting),
        again: await describeAgain(again),
        againTotal,
        recheckMonths: settings().membership.recheckMonths,
        hasRegistry: registry !== null,
      }
    },

    /** What the registry says about the number of a claim. @throws Problem NOT_FOUND without a registry or a valid number, REGISTRY_UNAVAILABLE */
    async lookUp(id: string): Promise<RegistryLookup> {
      const credential = await findCredentialById(db, id)
      if (!credential || !registry) throw new Problem('NOT_FOUND')
      const kind = kindOf(kinds(), credential.kind)
      const { npi, licenceState, accountId } = credential
      if (!hasNpi(kind) || !isNpi(npi)) throw new Problem('NOT_FOUND')
      const record = await registry.find(npi)
      if (!record) return { record, agrees: null }
      const owner = (await findNamesAndEmails(db, [accountId])).get(accountId)
      const hasState = kind.fields.some(({ check }) => check === 'us-state') && licenceState !== ''
      const claim = { name: owner?.name ?? '', state: hasState ? licenceState : null }
      return { record, agrees: compareWithRegistry(claim, record) }
    },

    /** How many await an officer, not the member. */
    countToReview: (): Promise<number> => countCredentialsToReview(db),

    /** How many are due for a recheck. */
    countDueForRecheck: (): Promise<number> => countDueCredentials(db, moment()),

    /** @throws Problem INVALID_INPUT when a kind that needs a proof is approved without a kind of evidence */
    async decide(
      by: Officer,
      id: string,
      { decision, evidence, evidenceKind }: BodyOf<typeof decideCredential>,
    ): Promise<void> {
      const credential = await requireCredential('decideCredential', by, id)
      if (kindOf(kinds(), credential.kind).proof !== null && decision === 'approved' && !evidenceKind)
        throw fieldProblem('evidenceKind', 'Please choose the kind of evidence')
      const decided = { status: decision, officerId: by.accountId, evidence, evidenceKind }
      if (!(await applyCredentialDecision(db, credential, decided, clock.now()))) throw new Problem('CHANGED_MEANWHILE')
      wakeOutbox()
    },

    async ask(by: Officer, id: string, question: string): Promise<void> {
      const credential = await requireCredential('askAboutCredential', by, id)
      if (!(await saveCredentialQuestion(db, credential, { question, actor: by.accountId }, clock.now())))
        throw new Problem('CHANGED_MEANWHILE')
      wakeOutbox()
    },

    /** @throws Problem NPI_UNLIKELY, and INVALID_INPUT for training that has ended without a new end date */
    async confirm(by: Officer, id: string, looked: BodyOf<typeof confirmCredential>): Promise<void> {
      const credential = await requireCredential('confirmCredential', by, id)
      const { npi, accountId } = credential
      if (hasNpi(kindOf(kinds(), credential.kind)) && !isNpi(npi)) throw new Problem('NPI_UNLIKELY')
      const endsOn = credential.endsOn === null ? null : (looked.endsOn ?? credential.endsOn)
      const fault = endsOn === null ? null : validateTrainingEnd(endsOn, today())
      if (fault) throw fieldProblem('endsOn', messages.credentials.confirmedEnd[fault])
      const now = clock.now()
      await db.transaction().execute(async (tx) => {
        const seen = Date.parse(looked.lookedAt)
        if (!(await confirmApproval(tx, id, { seen, endsOn, now }))) throw new Problem('CHANGED_MEANWHILE')
        const before = { lookedAt: looked.lookedAt, endsOn: credential.endsOn }
        const details = { credential: id, before, after: { lookedAt: iso(now), endsOn } }
        await writeAudit(
          tx,
          { actor: by.accountId, action: 'credentials.confirmed', subjectId: accountId, details },
          now,
        )
      })
    },

    async revoke(by: Officer, id: string, { lookedAt, reason }: BodyOf<typeof revokeCredential>): Promise<void> {
      const { accountId, evidence } = await requireCredential('withdrawCredential', by, id)
      const now = clock.now()
      await db.transaction().execute(async (tx) => {
        const taken = { seen: Date.parse(lookedAt), by: by.accountId, reason, now }
        if (!(await revokeApproval(tx, id, taken))) throw new Problem('CHANGED_MEANWHILE')
        const before = { status: 'approved', lookedAt, evidence }
        const details = { credential: id, reason, before, after: { status: 'declined' } }
        await writeAudit(
          tx,
          { actor: by.accountId, action: 'credentials.withdrawn', subjectId: accountId, details },
          now,
        )
        await addToOutbox(
          tx,
          { effect: sendCredentialDecision, payload: { accountId }, dedupeKey: `credentials:${id}:withdrawn` },
          now,
        )
      })
      wakeOutbox()
    },
  }
}

export type CredentialReviewService = ReturnType<typeof createCredentialReviewService>

const iso = (instant: number) => new Date(instant).toISOString()
