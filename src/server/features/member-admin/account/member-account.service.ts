import type { Kysely } from 'kysely'
import type { ConsoleMember } from '#contract/console/member.ts'
import type { Ending, EndingPlan } from '#contract/console/member-account.ts'
import { dayOf } from '#contract/dates/dates.ts'
import type { Db, Tx } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema/schema.ts'
import type { Officer } from '#server/http/serve.ts'
import type { Clock } from '#server/lib/clock.ts'
import { fieldProblem, Problem } from '#server/lib/problem.ts'
import { findMergeTargetEmail } from '#server/features/accounts/account-merge.queries.ts'
import { findAccount, findAccountByLogin, type Account } from '#server/features/accounts/account.queries.ts'
import { lockAccount } from '#server/features/accounts/account.commands.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'
import { findAccountEnd } from '#server/features/my-account/deletion/deletion.queries.ts'
import type { DeletionService } from '#server/features/my-account/deletion/deletion.service.ts'
import { findEmailChange } from '#server/features/my-account/email-change/email-change.queries.ts'
import { emailChangeExpiresAt } from '#server/features/my-account/email-change/email-change.rules.ts'
import type { EmailChangeService } from '#server/features/my-account/email-change/email-change.service.ts'
import type { ApprovalRequest } from '#server/features/officers/approvals/approval.repository.ts'
import type { ApprovableAct, ApprovalService } from '#server/features/officers/approvals/approval.service.ts'
import { listManagers } from '#server/features/officers/managers.queries.ts'
import type { ActAuthorizer } from '#server/features/officers/approvals/act-guard.service.ts'
import { holdsRoleFrom } from '#server/features/officers/officer.queries.ts'
import { lockPresidents } from '#server/features/officers/officer.commands.ts'
import { consentVersion } from '#server/features/officers/approvals/approval-version.service.ts'
import type { LoadAccountEndPreview } from './account-end-preview.service.ts'
import { describeAccountEnd } from './account-end.rules.ts'

/** Officers' changes to the account itself. For an account with a role, a second officer must approve. */
export interface MemberAccountService {
  /** @throws Problem NOT_FOUND, OWN_ACCOUNT, ACCOUNT_CLOSED, IS_MERGED, CHANGED_MEANWHILE, INVALID_INPUT, RATE_LIMITED, APPROVAL_WAITING, NO_SECOND_OFFICER */
  changeEmail(by: Officer, id: string, wanted: { email: string; reason: string; seen: string }): Promise<void>
  /** @throws Problem NOT_FOUND, CHANGED_MEANWHILE when no change is pending */
  withdrawEmail(by: Officer, id: string): Promise<void>
  /** Previews ending the account. @throws Problem NOT_FOUND */
  planEnd(by: Officer, id: string, ending: Ending): Promise<EndingPlan>
  /** @throws Problem NOT_FOUND, OWN_ACCOUNT, ACCOUNT_CLOSED, IS_MERGED, CHANGED_MEANWHILE, LAST_PRESIDENT, APPROVAL_WAITING, NO_SECOND_OFFICER, ENDING_UNDER_WAY, PROVIDER_FAILED */
  end(by: Officer, id: string, wanted: { ending: Ending; reason: string; version: string }): Promise<void>
  /** The account section of a member's page. */
  describe(by: Officer, account: Account): Promise<Pick<ConsoleMember, 'emailChange' | 'approvals' | 'ended' | 'isOwn'>>
  /** For the webmaster, who needs no approval. @throws Problem as `changeEmail` */
  changeEmailAsWebmaster(id: string, wanted: { email: string; reason: string }): Promise<void>
  /** False when no change is pending. */
  withdrawEmailAsWebmaster(id: string): Promise<boolean>
  /** @throws Problem NOT_FOUND, ACCOUNT_CLOSED, IS_MERGED */
  planEndAsWebmaster(id: string, ending: Ending): Promise<Pick<EndingPlan, 'sentences' | 'version'>>
  /** @throws Problem as `end`, and CHANGED_MEANWHILE when the preview has changed */
  endAsWebmaster(id: string, wanted: { ending: Ending; reason: string; version: string }): Promise<void>
  approvableActions: Record<'member.change_email' | 'member.end', ApprovableAct>
}

export function createMemberAccountService({
  db,
  clock,
  timeZone,
  emailChanges,
  deletions,
  approvals,
  loadEndPreview,
  guard,
  wakeOutbox,
}: {
  db: Kysely<Schema>
  clock: Clock
  timeZone: string
  emailChanges: EmailChangeService
  deletions: DeletionService
  approvals: ApprovalService
  loadEndPreview: LoadAccountEndPreview
  guard: ActAuthorizer
  wakeOutbox(): void
}): MemberAccountService {
  const today = () => dayOf(clock.now(), timeZone)

  async function requirePerson(handle: Db, id: string): Promise<Account> {
    const account = await findAccount(handle, id)
    if (!account) throw new Problem('NOT_FOUND')
    return account
  }

  /** Locks and returns the account if this actor may change it. */
  async function lockPerson(tx: Tx, act: 'askMemberEmail' | 'endMember', by: string, id: string): Promise<Account> {
    await lockPresidents(tx)
    await lockAccount(tx, id)
    const account = await requirePerson(tx, id)
    if (by !== 'webmaster') await guard.require(tx, { act, by, on: id })
    if ((await findMergeTargetEmail(tx, id)) !== null) throw new Problem('IS_MERGED')
    return account
  }

  /** Requires an address that is not in use and differs from the current one. */
  async function requireFree(handle: Db, account: Account, email: string): Promise<void> {
    if (nameKey(email) === nameKey(account.email)) throw fieldProblem('email', SAME_ADDRESS)
    const existing = await findAccountByLogin(handle, email)
    if (existing && existing.id !== account.id) throw fieldProblem('email', addressTakenMessage(existing, email))
  }

  async function sentencesOfEnd(handle: Db, account: Account, ending: Ending): Promise<string[]> {
    return describeAccountEnd(ending, await loadEndPreview(handle, account))
  }

  /** Requires that the effects are still those the officer saw. */
  async function requireSame(handle: Db, account: Account, wanted: { ending: Ending; version: string }): Promise<void> {
    const sentences = await sentencesOfEnd(handle, account, wanted.ending)
    if (consentVersion(sentences) !== wanted.version) throw new Problem('CHANGED_MEANWHILE')
  }

  async function closedForGood(account: Account): Promise<Problem | null> {
    if (account.deactivatedBy === 'self') return new Problem('ACCOUNT_CLOSED', { message: CLOSED_FOR_GOOD })
    return (await findMergeTargetEmail(db, account.id)) === null ? null : new Problem('IS_MERGED')
  }

  async function obstacle(by: Officer, account: Account): Promise<Problem | null> {
    if (account.id === by.accountId) return new Problem('OWN_ACCOUNT')
    const closed = await closedForGood(account)
    if (closed) return closed
    const managers = await listManagers(db, today())
    const isManager = managers.some(({ accountId }) => accountId === account.id)
    if (isManager && managers.length === 1) return new Problem('LAST_PRESIDENT')
    if (!(await holdsRoleFrom(db, account.id, today()))) return null
    const others = managers.filter(({ accountId }) => accountId !== account.id && accountId !== by.accountId)
    return others.length === 0 ? new Problem('NO_SECOND_OFFICER') : null
  }

  async function nameOf(accountId: string): Promise<string> {
    if (accountId === 'webmaster') return 'The webmaster'
    const account = await findAccount(db, accountId)
    return account ? `${account.firstName} ${account.lastName}` : 'An officer'
  }

  async function ownerOf({ subjectId }: ApprovalRequest): Promise<string> {
    return nameOf(subjectId)
  }

  const endingOf = ({ payload }: ApprovalRequest): Ending => (payload['ending'] === 'deceased' ? 'deceased' : 'request')

  const acts: MemberAccountService['approvableActions'] = {
    'member.change_email': {
      permission: 'members.change',
      title: async (request) => `Change the email address of ${await ownerOf(request)}`,
      async describe(handle, { subjectId, payload }) {
        const account = await findAccount(handle, subjectId)
        const sentences = [
          `The address changes from ${account?.email ?? payload['before']} to ${payload['after']}.`,
          `An email goes to ${payload['after']}. Nothing changes until the link in it is confirmed, within 3 days.`,
          'The current address is notified at the same time and can stop the change.',
          'On confirmation, every device is signed out and the member must choose a new password.',
        ]
        return { sentences, version: consentVersion(sentences) }
      },
      async carryOut(tx, { subjectId, payload, askedBy, reason }, approvedBy) {
        const account = await lockPerson(tx, 'askMemberEmail', askedBy, subjectId)
        if (account.deactivatedBy !== null) throw new Problem('ACCOUNT_CLOSED')
        // The address has changed since the request.
        if (account.email !== payload['before']) throw new Problem('APPROVAL_STALE', { message: ADDRESS_MOVED })
        const email = String(payload['after'])
        await requireFree(tx, account, email)
        await emailChanges.requestAsOfficer(tx, { accountId: subjectId, email, askedBy, approvedBy, reason })
      },
    },

    'member.end': {
      permission: 'members.change',
      title: async (request) =>
        `End the account of ${await ownerOf(request)}, ${endingOf(request) === 'deceased' ? 'who died' : 'on request'}`,
      async describe(handle, request) {
        const account = await findAccount(handle, request.subjectId)
        const sentences = account ? await sentencesOfEnd(handle, account, endingOf(request)) : []
        return { sentences, version: consentVersion(sentences) }
      },
      async carryOut(tx, request, approvedBy) {
        const { subjectId: accountId, askedBy, reason } = request
        await lockPerson(tx, 'endMember', askedBy, accountId)
        await deletions.beginEnd(tx, { accountId, ending: endingOf(request), askedBy, approvedBy, reason })
      },
      finish: ({ subjectId }) => deletions.finishEnd(subjectId),
    },
  }

  return {
    approvableActions: acts,

    async changeEmail(by, id, { email, reason, seen }) {
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

    async withdrawEmail(by, id) {
      await requirePerson(db, id)
      if (!(await emailChanges.withdraw(by.accountId, id))) throw new Problem('CHANGED_MEANWHILE')
    },

    async planEnd(by, id, ending) {
      const account = await requirePerson(db, id)
      const sentences = await sentencesOfEnd(db, account, ending)
      return {
        sentences,
        version: consentVersion(sentences),
        needsSecondOfficer: await holdsRoleFrom(db, id, today()),
        obstacle: (await obstacle(by, account))?.message ?? null,
      }
    },

    async end(by, id, { ending, reason, version }) {
      const found = await obstacle(by, await requirePerson(db, id))
      if (found) throw found
      const isBegun = await db.transaction().execute(async (tx) => {
        const account = await lockPerson(tx, 'endMember', by.accountId, id)
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

    async describe(by, { id }) {
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

    async changeEmailAsWebmaster(id, { email, reason }) {
      await db.transaction().execute(async (tx) => {
        const account = await lockPerson(tx, 'askMemberEmail', 'webmaster', id)
        if (account.deactivatedBy !== null) throw new Problem('ACCOUNT_CLOSED')
        await requireFree(tx, account, email)
        const change = { accountId: id, email, askedBy: 'webmaster', approvedBy: null, reason }
        await emailChanges.requestAsOfficer(tx, change)
      })
      wakeOutbox()
    },

    withdrawEmailAsWebmaster: (id) => emailChanges.withdraw('webmaster', id),

    async planEndAsWebmaster(id, ending) {
      const account = await requirePerson(db, id)
      const closed = await closedForGood(account)
      if (closed) throw closed
      const sentences = await sentencesOfEnd(db, account, ending)
      return { sentences, version: consentVersion(sentences) }
    },

    async endAsWebmaster(id, { ending, reason, version }) {
      await db.transaction().execute(async (tx) => {
        const account = await lockPerson(tx, 'endMember', 'webmaster', id)
        await requireSame(tx, account, { ending, version })
        await deletions.beginEnd(tx, { accountId: id, ending, askedBy: 'webmaster', approvedBy: null, reason })
      })
      await deletions.finishEnd(id)
    },
  }
}

const SAME_ADDRESS = 'This is already the email address of the account.'
const ADDRESS_MOVED =
  'The address of this account has changed since this request. Decline it; the officer can make a new request.'
const CLOSED_FOR_GOOD = 'This account was already ended or deleted.'

function addressTakenMessage({ firstName, lastName, email: theirs }: Account, email: string): string {
  const name = `${firstName} ${lastName}`
  return nameKey(theirs) === nameKey(email)
    ? `${name} has an account with this address. If it is the same person, merge the two accounts instead.`
    : `${name} has this address as a username. Change that username first.`
}
