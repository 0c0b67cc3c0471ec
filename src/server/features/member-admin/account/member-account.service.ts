import type { AppContext } from '#server/app-context.ts'
import type { ConsoleMember } from '#contract/console/member.ts'
import type { Ending, EndingPlan } from '#contract/console/member-account.ts'
import { dayOf } from '#contract/dates/dates.ts'
import type { Db } from '#server/db/database.ts'
import type { Officer } from '#server/http/serve.ts'
import { Problem } from '#server/lib/problem.ts'
import { findMergeTargetEmail } from '#server/features/accounts/account-merge.queries.ts'
import { type Account } from '#server/features/accounts/account.queries.ts'
import { findAccountEnd } from '#server/features/my-account/deletion/deletion.queries.ts'
import type { DeletionService } from '#server/features/my-account/deletion/deletion.service.ts'
import { findEmailChange } from '#server/features/my-account/email-change/email-change.queries.ts'
import { emailChangeExpiresAt } from '#server/features/my-account/email-change/email-change.rules.ts'
import type { EmailChangeService } from '#server/features/my-account/email-change/email-change.service.ts'
import type { ApprovalService } from '#server/features/officers/approvals/approval.service.ts'
import { listManagers } from '#server/features/officers/managers.queries.ts'
import type { ActAuthorizer } from '#server/features/officers/approvals/act-guard.service.ts'
import { holdsRoleFrom } from '#server/features/officers/officer.queries.ts'
import { consentVersion } from '#server/features/officers/approvals/approval-version.service.ts'
import { isUnrecorded } from './account-end.rules.ts'
import type { AccountChecks } from './account-checks.service.ts'

/** Officers' changes to the account itself. For an account with a role, a second officer must approve. */
export function createMemberAccountService(
  { db, clock, timeZone, wakeOutbox }: AppContext,
  {
    emailChanges,
    deletions,
    approvals,
    checks,
    guard,
  }: {
    emailChanges: EmailChangeService
    deletions: DeletionService
    approvals: ApprovalService
    checks: AccountChecks
    guard: ActAuthorizer
  },
) {
  const { requirePerson, lockPerson, requireFree, sentencesOfEnd, nameOf } = checks
  const today = () => dayOf(clock.now(), timeZone)

  /** Requires that the effects are still those the officer saw. */
  async function requireSame(handle: Db, account: Account, wanted: { ending: Ending; version: string }): Promise<void> {
    const sentences = await sentencesOfEnd(handle, account, wanted.ending)
    if (consentVersion(sentences) !== wanted.version) throw new Problem('CHANGED_MEANWHILE')
  }

  async function closedForGood(account: Account): Promise<Problem | null> {
    if (account.deactivatedBy === 'self') return new Problem('ACCOUNT_CLOSED', { message: CLOSED_FOR_GOOD })
    return (await findMergeTargetEmail(db, account.id)) === null ? null : new Problem('IS_MERGED')
  }

  async function obstacle(by: Officer, account: Account, ending: Ending): Promise<Problem | null> {
    if (account.id === by.accountId) return new Problem('OWN_ACCOUNT')
    const closed = await closedForGood(account)
    if (closed) return closed
    const managers = await listManagers(db, today())
    const isManager = managers.some(({ accountId }) => accountId === account.id)
    if (isManager && managers.length === 1) return new Problem('LAST_PRESIDENT')
    if (isUnrecorded(account, ending)) return new Problem('DEATH_NOT_RECORDED')
    if (!(await holdsRoleFrom(db, account.id, today()))) return null
    const others = managers.filter(({ accountId }) => accountId !== account.id && accountId !== by.accountId)
    return others.length === 0 ? new Problem('NO_SECOND_OFFICER') : null
  }

  return {
    /** @throws Problem NOT_FOUND, OWN_ACCOUNT, ACCOUNT_CLOSED, IS_MERGED, CHANGED_MEANWHILE, INVALID_INPUT, RATE_LIMITED, APPROVAL_WAITING, NO_SECOND_OFFICER */
    async changeEmail(
      by: Officer,
      id: string,
      { email, reason, seen }: { email: string; reason: string; seen: string },
    ): Promise<void> {
      const person = await requirePerson(db, id)
      // Check before rate limits count; repeated below under the lock.
      await guard.require(db, { act: 'askMemberEmail', by: by.accountId, on: id })
      await requireFree(db, person, email)
      await emailChanges.countEmail(email)
      await db.transaction().execute(async (tx) => {
        const account = await lockPerson(tx, 'askMemberEmail', by.accountId, id)
        if (account.deactivatedBy !== null) throw new Problem('ACCOUNT_CLOSED')
        if (account.email !== seen) throw new Problem('CHANGED_MEANWHILE')
        await requireFree(tx, account, email)
        if (await holdsRoleFrom(tx, id, today())) {
          const payload = { before: account.email, after: email }
          await approvals.request(tx, by, { act: 'member.change_email', subjectId: id, payload, reason })
        } else {
          const change = { accountId: id, email, askedBy: by.accountId, approvedBy: null, reason }
          await emailChanges.requestAsOfficer(tx, change)
        }
      })
      wakeOutbox()
    },

    /** @throws Problem NOT_FOUND, CHANGED_MEANWHILE when no change is pending */
    async withdrawEmail(by: Officer, id: string): Promise<void> {
      await requirePerson(db, id)
      if (!(await emailChanges.withdraw(by.accountId, id))) throw new Problem('CHANGED_MEANWHILE')
    },

    /** Previews ending the account. @throws Problem NOT_FOUND */
    async planEnd(by: Officer, id: string, ending: Ending): Promise<EndingPlan> {
      const account = await requirePerson(db, id)
      const sentences = await sentencesOfEnd(db, account, ending)
      return {
        sentences,
        version: consentVersion(sentences),
        needsSecondOfficer: await holdsRoleFrom(db, id, today()),
        obstacle: (await obstacle(by, account, ending))?.message ?? null,
      }
    },

    /** @throws Problem NOT_FOUND, OWN_ACCOUNT, ACCOUNT_CLOSED, IS_MERGED, CHANGED_MEANWHILE, LAST_PRESIDENT, DEATH_NOT_RECORDED, APPROVAL_WAITING, NO_SECOND_OFFICER, ENDING_UNDER_WAY, PROVIDER_FAILED */
    async end(
      by: Officer,
      id: string,
      { ending, reason, version }: { ending: Ending; reason: string; version: string },
    ): Promise<void> {
      const found = await obstacle(by, await requirePerson(db, id), ending)
      if (found) throw found
      const isBegun = await db.transaction().execute(async (tx) => {
        const account = await lockPerson(tx, 'endMember', by.accountId, id)
        if (isUnrecorded(account, ending)) throw new Problem('DEATH_NOT_RECORDED')
        await requireSame(tx, account, { ending, version })
        if (await holdsRoleFrom(tx, id, today())) {
          await approvals.request(tx, by, { act: 'member.end', subjectId: id, payload: { ending }, reason })
          return false
        }
        await deletions.beginEnd(tx, { accountId: id, ending, askedBy: by.accountId, approvedBy: null, reason })
        return true
      })
      wakeOutbox()
      if (isBegun) await deletions.finishEnd(id)
    },

    /** The account section of a member's page. */
    async describe(
      by: Officer,
      { id }: Account,
    ): Promise<Pick<ConsoleMember, 'emailChange' | 'approvals' | 'ended' | 'isOwn'>> {
      const change = await findEmailChange(db, id)
      const isPending = change !== null && emailChangeExpiresAt(change) > clock.now()
      const waiting = await approvals.listPendingFor(by, id)
      const end = await findAccountEnd(db, id)
      return {
        ...(isPending && {
          emailChange: {
            email: change.email,
            askedBy: change.askedBy === null ? null : await nameOf(change.askedBy),
            askedAt: new Date(change.askedAt).toISOString(),
            expiresAt: new Date(emailChangeExpiresAt(change)).toISOString(),
            reason: change.reason,
          },
        }),
        ...(waiting.length > 0 && { approvals: waiting }),
        ...(end && { ended: { as: end.ending, at: new Date(end.endedAt).toISOString() } }),
        ...(by.accountId === id && { isOwn: true }),
      }
    },

    /** For the webmaster, who needs no approval. @throws Problem as `changeEmail` */
    async changeEmailAsWebmaster(id: string, { email, reason }: { email: string; reason: string }): Promise<void> {
      await db.transaction().execute(async (tx) => {
        const account = await lockPerson(tx, 'askMemberEmail', 'webmaster', id)
        if (account.deactivatedBy !== null) throw new Problem('ACCOUNT_CLOSED')
        await requireFree(tx, account, email)
        const change = { accountId: id, email, askedBy: 'webmaster', approvedBy: null, reason }
        await emailChanges.requestAsOfficer(tx, change)
      })
      wakeOutbox()
    },

    /** False when no change is pending. */
    withdrawEmailAsWebmaster: (id: string): Promise<boolean> => emailChanges.withdraw('webmaster', id),

    /** @throws Problem NOT_FOUND, ACCOUNT_CLOSED, IS_MERGED */
    async planEndAsWebmaster(id: string, ending: Ending): Promise<Pick<EndingPlan, 'sentences' | 'version'>> {
      const account = await requirePerson(db, id)
      const closed = await closedForGood(account)
      if (closed) throw closed
      const sentences = await sentencesOfEnd(db, account, ending)
      return { sentences, version: consentVersion(sentences) }
    },

    /** @throws Problem as `end`, and CHANGED_MEANWHILE when the preview has changed */
    async endAsWebmaster(
      id: string,
      { ending, reason, version }: { ending: Ending; reason: string; version: string },
    ): Promise<void> {
      await db.transaction().execute(async (tx) => {
        const account = await lockPerson(tx, 'endMember', 'webmaster', id)
        await requireSame(tx, account, { ending, version })
        await deletions.beginEnd(tx, { accountId: id, ending, askedBy: 'webmaster', approvedBy: null, reason })
      })
      await deletions.finishEnd(id)
    },
  }
}

export type MemberAccountService = ReturnType<typeof createMemberAccountService>

const CLOSED_FOR_GOOD = 'This account was already ended or deleted.'
