import type { Kysely } from 'kysely'
import type {
  AgainCredential,
  confirmCredential,
  decideCredential,
  DeskLists,
  WaitingCredential,
  withdrawCredential,
} from '#contract/console-credentials.ts'
import { dayOf } from '#contract/dates.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import { isNpi } from '#contract/npi.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Officer } from '#server/http/serve.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import { addToOutbox } from '#server/platform/outbox.repository.ts'
import { fieldProblem, Problem } from '#server/platform/problem.ts'
import { findPeople } from '../account/account.repository.ts'
import type { ActGuard } from '../console/act-guard.ts'
import type { OfficerAct } from '../console/officer-acts.rules.ts'
import { askMember } from './credential-question.ts'
import {
  countDueCredentials,
  listDueCredentials,
  markStillRight,
  takeBackApproval,
} from './credential-recheck.repository.ts'
import { lookAgainBefore, trainingEndFault, whyAgain } from './credential-recheck.rules.ts'
import {
  findCredentialById,
  findLastRefusals,
  listWaitingCredentials,
  type Credential,
} from './credential.repository.ts'
import { decide } from './credential.service.ts'

/** Of those to look at again; the rest comes when these are done. */
const AGAIN_SHOWN = 50

type People = Awaited<ReturnType<typeof findPeople>>

/** Every act throws Problem NOT_FOUND, and CHANGED_MEANWHILE when somebody was quicker. */
export interface CredentialDeskService {
  /** Those that wait, and those to look at again: longest first. */
  lists(): Promise<DeskLists>
  /** How many are to be looked at again. */
  countAgain(): Promise<number>
  /** @throws Problem INVALID_INPUT when training is approved without saying on what kind of evidence */
  decide(by: Officer, id: string, decision: BodyOf<typeof decideCredential>): Promise<void>
  ask(by: Officer, id: string, question: string): Promise<void>
  /** @throws Problem NPI_UNLIKELY, and INVALID_INPUT for training that is over without a new end */
  confirm(by: Officer, id: string, looked: BodyOf<typeof confirmCredential>): Promise<void>
  withdraw(by: Officer, id: string, looked: BodyOf<typeof withdrawCredential>): Promise<void>
}

export function createCredentialDeskService({
  db,
  clock,
  timeZone,
  recheckMonths,
  guard,
  wakeOutbox,
}: {
  db: Kysely<Schema>
  clock: Clock
  timeZone: string
  recheckMonths(): number
  guard: ActGuard
  wakeOutbox(): void
}): CredentialDeskService {
  const today = () => dayOf(clock.now(), timeZone)
  const moment = () => ({ now: clock.now(), today: today(), recheckMonths: recheckMonths() })

  function describe(credential: Credential, people: People) {
    const { id, accountId, kind, npi, licenceState, place, endsOn, givenAt } = credential
    const { question, askedAt, answeredAt } = credential
    const owner = people.get(accountId)
    return {
      id,
      accountId,
      kind,
      npi,
      licenceState,
      place,
      endsOn,
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

  async function describeWaiting(credentials: readonly Credential[]): Promise<WaitingCredential[]> {
    const accountIds = credentials.map(({ accountId }) => accountId)
    const [people, refusals] = await Promise.all([findPeople(db, accountIds), findLastRefusals(db, accountIds)])
    return credentials.map((credential) => ({
      ...describe(credential, people),
      declinedBefore: refusals.get(credential.accountId) ?? null,
    }))
  }

  async function describeAgain(credentials: readonly Credential[]): Promise<AgainCredential[]> {
    const accountIds = credentials.map(({ accountId }) => accountId)
    const people = await findPeople(db, accountIds)
    const before = lookAgainBefore(clock.now(), recheckMonths())
    return credentials.map((credential) => {
      const { endsOn, evidence } = credential
      const countedFrom = credential.countedFrom ?? 0
      const why = whyAgain({ endsOn, countedFrom }, { today: today(), before }) ?? 'time'
      return { ...describe(credential, people), lookedAt: iso(countedFrom), evidence, why }
    })
  }

  /** Credentials that this officer may decide on: one’s own are for another officer. */
  async function requireCredential(act: OfficerAct, by: Officer, id: string): Promise<Credential> {
    const credential = await findCredentialById(db, id)
    if (!credential) throw new Problem('NOT_FOUND')
    await guard.require(db, { act, by: by.accountId, on: credential.accountId })
    return credential
  }

  return {
    async lists() {
      const [waiting, again, againTotal] = await Promise.all([
        listWaitingCredentials(db),
        listDueCredentials(db, moment(), AGAIN_SHOWN),
        countDueCredentials(db, moment()),
      ])
      return { waiting: await describeWaiting(waiting), again: await describeAgain(again), againTotal }
    },

    countAgain: () => countDueCredentials(db, moment()),

    async decide(by, id, { decision, evidence, evidenceKind }) {
      const credential = await requireCredential('decideCredential', by, id)
      if (credential.kind !== 'licence' && decision === 'approved' && !evidenceKind)
        throw fieldProblem('evidenceKind', 'Please choose the kind of evidence')
      const decided = { status: decision, officerId: by.accountId, evidence, evidenceKind }
      if (!(await decide(db, credential, decided, clock.now()))) throw new Problem('CHANGED_MEANWHILE')
      wakeOutbox()
    },

    async ask(by, id, question) {
      const credential = await requireCredential('askAboutCredential', by, id)
      if (!(await askMember(db, credential, { question, actor: by.accountId }, clock.now())))
        throw new Problem('CHANGED_MEANWHILE')
      wakeOutbox()
    },

    async confirm(by, id, looked) {
      const credential = await requireCredential('confirmCredential', by, id)
      const { kind, npi, accountId } = credential
      if (kind === 'licence' && !isNpi(npi)) throw new Problem('NPI_UNLIKELY')
      const endsOn = kind === 'licence' ? null : (looked.endsOn ?? credential.endsOn)
      const fault = endsOn === null ? null : trainingEndFault(endsOn, today())
      if (fault) throw fieldProblem('endsOn', messages.credentials.endsOn[fault])
      const now = clock.now()
      await db.transaction().execute(async (tx) => {
        const seen = Date.parse(looked.lookedAt)
        if (!(await markStillRight(tx, id, { seen, endsOn, now }))) throw new Problem('CHANGED_MEANWHILE')
        const before = { lookedAt: looked.lookedAt, endsOn: credential.endsOn }
        const details = { credential: id, before, after: { lookedAt: iso(now), endsOn } }
        await writeAudit(
          tx,
          { actor: by.accountId, action: 'credentials.confirmed', subjectId: accountId, details },
          now,
        )
      })
    },

    async withdraw(by, id, { lookedAt, reason }) {
      const { accountId, evidence } = await requireCredential('withdrawCredential', by, id)
      const now = clock.now()
      await db.transaction().execute(async (tx) => {
        const taken = { seen: Date.parse(lookedAt), by: by.accountId, reason, now }
        if (!(await takeBackApproval(tx, id, taken))) throw new Problem('CHANGED_MEANWHILE')
        const before = { status: 'approved', lookedAt, evidence }
        const details = { credential: id, reason, before, after: { status: 'declined' } }
        await writeAudit(
          tx,
          { actor: by.accountId, action: 'credentials.withdrawn', subjectId: accountId, details },
          now,
        )
        await addToOutbox(
          tx,
          { kind: 'letter.credentials', payload: { accountId }, dedupeKey: `credentials:${id}:withdrawn` },
          now,
        )
      })
      wakeOutbox()
    },
  }
}

const iso = (instant: number) => new Date(instant).toISOString()
