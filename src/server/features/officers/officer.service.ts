import type { Kysely } from 'kysely'
import { officerLimits, permissionsOf, type Role } from '#contract/access.ts'
import type { Association } from '#contract/association.ts'
import type { HeldItem, OfficerTerm } from '#contract/console.ts'
import { dayOf } from '#contract/dates.ts'
import { addDays } from '#contract/days.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Caller, Officer } from '#server/http/serve.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { OutgoingLetter } from '#server/mail/letter.ts'
import { fieldProblem, Problem } from '#server/platform/problem.ts'
import { findAccount, findAccountByEmail, lockAccount } from '../account/account.repository.ts'
import type { ActGuard } from './act-guard.ts'
import { giveRole } from './give-role.ts'
import type { HeldWork } from './held-work.ts'
import { MANAGING_ROLES } from './managers.repository.ts'
import { isManaged } from './role-permissions.ts'
import { factorLetter, type FactorChange } from './factor.emails.ts'
import { roleLetter } from './officer.emails.ts'
import {
  endTerm,
  findTerm,
  holdsRoleFrom,
  listTerms,
  lockPresidents,
  rolesOn,
  type NamedTerm,
} from './officer.repository.ts'
import { findProof } from './second-factor.repository.ts'

/** Terms that ended longer ago are history, which the audit log tells. */
const SHOWN_AFTER_END_DAYS = 400

export interface OfficerService {
  /** Who somebody is as an officer, before the second factor. @throws Problem NOT_AN_OFFICER */
  identify(accountId: string): Promise<Officer>
  /** The authorization of every `officer` endpoint, and whether the second factor is as fresh as `asksAgain` wants it. @throws Problem NOT_AN_OFFICER, NOT_ALLOWED, SECOND_FACTOR_REQUIRED */
  admit(caller: Caller, endpoint: Pick<Endpoint, 'permission'>): Promise<{ officer: Officer; isFresh: boolean }>
  /** Whether passwords of this account must be as long as those of officers: it holds a role now or will. */
  isOfficer(accountId: string): Promise<boolean>
  list(): Promise<OfficerTerm[]>
  /** Sends the member an email. @throws Problem INVALID_INPUT when nobody has this address, OWN_ACCOUNT */
  give(by: Officer, term: { email: string; role: Role; startsOn: string; endsOn: string }): Promise<void>
  /** Answers what the person had scheduled and is held from now on. @throws Problem NOT_FOUND, LAST_PRESIDENT when nobody else could manage the officers today */
  end(by: Officer, id: string): Promise<HeldItem[]>
  letters: Record<string, (payload: Record<string, unknown>) => Promise<OutgoingLetter | null>>
}

export function createOfficerService({
  db,
  clock,
  timeZone,
  siteUrl,
  guard,
  heldWork,
  association,
  wakeOutbox,
}: {
  db: Kysely<Schema>
  clock: Clock
  timeZone: string
  siteUrl: string
  guard: ActGuard
  heldWork: HeldWork
  association(): Promise<Association>
  wakeOutbox(): void
}): OfficerService {
  const today = () => dayOf(clock.now(), timeZone)

  async function identify(accountId: string): Promise<Officer> {
    const [account, roles] = await Promise.all([findAccount(db, accountId), rolesOn(db, accountId, today())])
    if (!account || roles.length === 0) throw new Problem('NOT_AN_OFFICER')
    const { firstName, lastName, email } = account
    return { accountId, name: `${firstName} ${lastName}`, email, roles, permissions: permissionsOf(roles) }
  }

  return {
    identify,

    async admit(caller, { permission }) {
      const officer = await identify(caller.accountId)
      if (!permission || !officer.permissions.includes(permission)) throw new Problem('NOT_ALLOWED')
      const provedAt = await findProof(db, caller.sessionId)
      const age = provedAt === null ? Number.POSITIVE_INFINITY : clock.now() - provedAt
      if (age >= officerLimits.provedForMs) throw new Problem('SECOND_FACTOR_REQUIRED')
      return { officer, isFresh: age < officerLimits.freshForMs }
    },

    isOfficer: (accountId) => holdsRoleFrom(db, accountId, today()),

    async list() {
      const terms = await listTerms(db, addDays(today(), -SHOWN_AFTER_END_DAYS))
      return terms.map((term) => describe(term, today()))
    },

    async give(by, { email, role, startsOn, endsOn }) {
      const now = clock.now()
      const account = await findAccountByEmail(db, email)
      if (!account || account.deactivatedBy !== null) throw fieldProblem('email', messages.officer.unknown)
      await db.transaction().execute(async (tx) => {
        await lockAccount(tx, account.id)
        await guard.require(tx, { act: 'giveRole', by: by.accountId, on: account.id })
        // Closed or merged since it was found.
        if ((await findAccount(tx, account.id))?.deactivatedBy !== null)
          throw fieldProblem('email', messages.officer.unknown)
        await giveRole(tx, { accountId: account.id, role, startsOn, endsOn, givenBy: by.accountId }, now)
      })
      wakeOutbox()
    },

    async end(by, id) {
      const now = clock.now()
      const holder = await db.transaction().execute(async (tx) => {
        await lockPresidents(tx)
        const term = await findTerm(tx, id)
        if (!term || !(await endTerm(tx, id, now))) throw new Problem('NOT_FOUND')
        if (MANAGING_ROLES.includes(term.role) && !(await isManaged(tx, today()))) throw new Problem('LAST_PRESIDENT')
        const { accountId, role, startsOn, endsOn } = term
        const details = { before: { role, startsOn, endsOn }, after: null }
        await writeAudit(tx, { actor: by.accountId, action: 'role.ended', subjectId: accountId, details }, now)
        return accountId
      })
      return heldWork.hold(holder, by.accountId)
    },

    letters: {
      async 'letter.role_given'({ termId }) {
        const term = await findTerm(db, String(termId))
        const account = term && (await findAccount(db, term.accountId))
        // Taken away again before it was told.
        if (!term || term.endedAt !== null || !account || account.deactivatedBy !== null) return null
        const words = { ...term, firstName: account.firstName }
        return { ...roleLetter(words, `${siteUrl}/console`, await association()), to: account.email }
      },

      async 'letter.factor_changed'({ accountId, change, at }) {
        const account = await findAccount(db, String(accountId))
        if (!account || account.deactivatedBy !== null) return null
        const words = { firstName: account.firstName, change: change as FactorChange, at: Number(at), timeZone }
        return { ...factorLetter(words, `${siteUrl}/console/access`, await association()), to: account.email }
      },
    },
  }
}

function describe({ firstName, lastName, endedAt, ...term }: NamedTerm, today: string): OfficerTerm {
  const isOver = endedAt !== null || term.endsOn < today
  return {
    ...term,
    name: `${firstName} ${lastName}`,
    state: isOver ? 'over' : term.startsOn > today ? 'later' : 'now',
  }
}
