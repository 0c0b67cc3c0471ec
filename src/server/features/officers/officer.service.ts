import type { AppContext } from '#server/app-context.ts'
import { officerLimits, permissionsOf, type Role } from '#contract/access.ts'
import type { HeldItem, OfficerTerm } from '#contract/console/console.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { addDays } from '#contract/dates/days.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import type { Caller, Officer } from '#server/http/serve.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { fieldProblem, Problem } from '#server/lib/problem.ts'
import { findAccount, findAccountByEmail } from '#server/features/accounts/account.queries.ts'
import { lockAccount } from '#server/features/accounts/account.commands.ts'
import type { ActAuthorizer } from './approvals/act-guard.service.ts'
import { assignRole } from './give-role.commands.ts'
import type { HeldWork } from '#server/features/scheduled-work/scheduled-work.service.ts'
import { listManagers, MANAGING_ROLES } from './managers.queries.ts'
import { hasManager } from './role-permissions.queries.ts'

import { yearAround } from './officer-year.rules.ts'
import { endTerm, lockPresidents } from './officer.commands.ts'
import { findTerm, holdsRoleFrom, listTerms, rolesOn, type NamedTerm } from './officer.queries.ts'
import { findVerifiedAt } from './factors/second-factor.repository.ts'

/** Terms that ended earlier are only in the audit log. */
const SHOWN_AFTER_END_DAYS = 400

export function createOfficerService(
  { db, clock, timeZone, wakeOutbox, settings }: AppContext,
  {
    guard,
    heldWork,
  }: {
    guard: ActAuthorizer
    heldWork: HeldWork
  },
) {
  const today = () => dayOf(clock.now(), timeZone)

  /** Returns the officer, without checking the second factor. @throws Problem NOT_AN_OFFICER */
  async function identify(accountId: string): Promise<Officer> {
    const [account, roles] = await Promise.all([findAccount(db, accountId), rolesOn(db, accountId, today())])
    if (!account || roles.length === 0) throw new Problem('NOT_AN_OFFICER')
    const { firstName, lastName, email } = account
    return { accountId, name: `${firstName} ${lastName}`, email, roles, permissions: permissionsOf(roles) }
  }

  return {
    identify,

    /**
     * Authorizes every `officer` endpoint, and returns whether the second factor is fresh enough for sensitive ones.
     * @throws Problem NOT_AN_OFFICER, NOT_ALLOWED, SECOND_FACTOR_REQUIRED
     */
    async authorize(
      caller: Caller,
      { permission }: Pick<Endpoint, 'permission'>,
    ): Promise<{ officer: Officer; isFresh: boolean }> {
      const officer = await identify(caller.accountId)
      if (!permission || !officer.permissions.includes(permission)) throw new Problem('NOT_ALLOWED')
      const provedAt = await findVerifiedAt(db, caller.sessionId)
      const age = provedAt === null ? Number.POSITIVE_INFINITY : clock.now() - provedAt
      if (age >= officerLimits.provedForMs) throw new Problem('SECOND_FACTOR_REQUIRED')
      return { officer, isFresh: age < officerLimits.freshForMs }
    },

    /** Whether this account needs an officer's password length: it holds a role now or will. */
    isOfficer: (accountId: string): Promise<boolean> => holdsRoleFrom(db, accountId, today()),

    /** The association's current year, by its first day in the settings. */
    year: () => yearAround(today(), settings().year.beginsOn),

    async list(): Promise<OfficerTerm[]> {
      const terms = await listTerms(db, addDays(today(), -SHOWN_AFTER_END_DAYS))
      const managers = new Set((await listManagers(db, today())).map(({ accountId }) => accountId))
      const described = terms.map((term) => describe(term, today()))
      const managing = described.filter(
        ({ state, role, accountId }) => state === 'now' && MANAGING_ROLES.includes(role) && managers.has(accountId),
      )
      return described.map((term) => ({ ...term, isLastManager: managing.length === 1 && managing[0] === term }))
    },

    /** Assigns a role and emails the member. @throws Problem INVALID_INPUT if no account has this address, OWN_ACCOUNT */
    async assignRole(
      by: Officer,
      { email, role, startsOn, endsOn }: { email: string; role: Role; startsOn: string; endsOn: string },
    ): Promise<void> {
      const now = clock.now()
      const account = await findAccountByEmail(db, email)
      if (!account || account.deactivatedBy !== null) throw fieldProblem('email', messages.officer.unknown)
      await db.transaction().execute(async (tx) => {
        await lockAccount(tx, account.id)
        await guard.require(tx, { act: 'giveRole', by: by.accountId, on: account.id })
        // Deactivated or merged since it was found.
        if ((await findAccount(tx, account.id))?.deactivatedBy !== null)
          throw fieldProblem('email', messages.officer.unknown)
        await assignRole(tx, { accountId: account.id, role, startsOn, endsOn, givenBy: by.accountId }, now)
      })
      wakeOutbox()
    },

    /**
     * Ends a role; returns the person's scheduled work that is now held.
     * @throws Problem NOT_FOUND, LAST_PRESIDENT if no one else could manage officers today
     */
    async endRole(by: Officer, id: string): Promise<HeldItem[]> {
      const now = clock.now()
      const accountId = await db.transaction().execute(async (tx) => {
        await lockPresidents(tx)
        const term = await findTerm(tx, id)
        if (!term || !(await endTerm(tx, id, now))) throw new Problem('NOT_FOUND')
        if (MANAGING_ROLES.includes(term.role) && !(await hasManager(tx, today()))) throw new Problem('LAST_PRESIDENT')
        const { accountId, role, startsOn, endsOn } = term
        const details = { before: { role, startsOn, endsOn }, after: null }
        await writeAudit(tx, { actor: by.accountId, action: 'role.ended', subjectId: accountId, details }, now)
        return accountId
      })
      return heldWork.holdScheduled(accountId, by.accountId)
    },
  }
}

export type OfficerService = ReturnType<typeof createOfficerService>

function describe(
  { firstName, lastName, endedAt, ...term }: NamedTerm,
  today: string,
): Omit<OfficerTerm, 'isLastManager'> {
  const isOver = endedAt !== null || term.endsOn < today
  return {
    ...term,
    name: `${firstName} ${lastName}`,
    state: isOver ? 'over' : term.startsOn > today ? 'later' : 'now',
  }
}
