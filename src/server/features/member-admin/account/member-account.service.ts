import type { Kysely } from 'kysely'
import type { ConsoleMember } from '#contract/console-member.ts'
import type { Ending, EndingPlan } from '#contract/console-member-account.ts'
import { dayOf } from '#contract/dates.ts'
import type { Db, Tx } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Officer } from '#server/http/serve.ts'
import type { Clock } from '#server/platform/clock.ts'
import { fieldProblem, Problem } from '#server/platform/problem.ts'
import { findKeptAddress } from '../account/account-merge.repository.ts'
import { findAccount, findAccountByName, lockAccount, nameKey, type Account } from '../account/account.repository.ts'
import { findEnd } from '../account/deletion.repository.ts'
import type { DeletionService } from '../account/deletion.service.ts'
import { findEmailChange } from '../account/email-change.repository.ts'
import { emailChangeEndsAt } from '../account/email-change.rules.ts'
import type { EmailChangeService } from '../account/email-change.service.ts'
import type { ApprovalRequest } from '../console/approval.repository.ts'
import type { ApprovableAct, ApprovalService } from '../console/approval.service.ts'
import { listManagers } from '../console/managers.repository.ts'
import type { ActGuard } from '../console/act-guard.ts'
import { holdsRoleFrom, lockPresidents } from '../console/officer.repository.ts'
import { versionOfSentences } from '../console/version-of-sentences.ts'
import type { ReadEndingFacts } from './ending-facts.ts'
import { endingSentences } from './ending.rules.ts'

/** What officers do to the account itself. Whoever holds a role is protected: a second officer approves it. */
export interface MemberAccountService {
  /** @throws Problem NOT_FOUND, OWN_ACCOUNT, ACCOUNT_CLOSED, IS_MERGED, CHANGED_MEANWHILE, INVALID_INPUT, RATE_LIMITED, APPROVAL_WAITING, NO_SECOND_OFFICER */
  changeEmail(by: Officer, id: string, wanted: { email: string; reason: string; seen: string }): Promise<void>
  /** @throws Problem NOT_FOUND, CHANGED_MEANWHILE when nothing waits to be confirmed */
  withdrawEmail(by: Officer, id: string): Promise<void>
  /** What ending the account would do. @throws Problem NOT_FOUND */
  planEnd(by: Officer, id: string, ending: Ending): Promise<EndingPlan>
  /** @throws Problem NOT_FOUND, OWN_ACCOUNT, ACCOUNT_CLOSED, IS_MERGED, CHANGED_MEANWHILE, LAST_PRESIDENT, APPROVAL_WAITING, NO_SECOND_OFFICER, ENDING_UNDER_WAY, PROVIDER_FAILED */
  end(by: Officer, id: string, wanted: { ending: Ending; reason: string; version: string }): Promise<void>
  /** What of this stands on the page of a member. */
  about(by: Officer, account: Account): Promise<Pick<ConsoleMember, 'emailChange' | 'approvals' | 'ended' | 'isOwn'>>
  /** For the webmaster, who needs no second officer. @throws Problem as `changeEmail` */
  changeEmailAsWebmaster(id: string, wanted: { email: string; reason: string }): Promise<void>
  /** False when nothing waits to be confirmed. */
  withdrawEmailAsWebmaster(id: string): Promise<boolean>
  /** @throws Problem NOT_FOUND, ACCOUNT_CLOSED, IS_MERGED */
  planEndAsWebmaster(id: string, ending: Ending): Promise<Pick<EndingPlan, 'sentences' | 'version'>>
  /** @throws Problem as `end`, and CHANGED_MEANWHILE when the sentences are other ones by now */
  endAsWebmaster(id: string, wanted: { ending: Ending; reason: string; version: string }): Promise<void>
  acts: Record<'member.change_email' | 'member.end', ApprovableAct>
}

export function createMemberAccountService({
  db,
  clock,
  timeZone,
  emailChanges,
  deletions,
  approvals,
  endingFacts,
  guard,
  wakeOutbox,
}: {
  db: Kysely<Schema>
  clock: Clock
  timeZone: string
  emailChanges: EmailChangeService
  deletions: DeletionService
  approvals: ApprovalService
  endingFacts: ReadEndingFacts
  guard: ActGuard
  wakeOutbox(): void
}): MemberAccountService {
  const today = () => dayOf(clock.now(), timeZone)

  async function requirePerson(handle: Db, id: string): Promise<Account> {
    const account = await findAccount(handle, id)
    if (!account) throw new Problem('NOT_FOUND')
    return account
  }

  /** Who it is, locked, if somebody else may change it. */
  async function lockPerson(tx: Tx, act: 'askMemberEmail' | 'endMember', by: string, id: string): Promise<Account> {
    await lockPresidents(tx)
    await lockAccount(tx, id)
    const account = await requirePerson(tx, id)
    if (by !== 'webmaster') await guard.require(tx, { act, by, on: id })
    if ((await findKeptAddress(tx, id)) !== null) throw new Problem('IS_MERGED')
    return account
  }

  /** The address is free, and not the one there is. */
  async function requireFree(handle: Db, account: Account, email: string): Promise<void> {
    if (nameKey(email) === nameKey(account.email)) throw fieldProblem('email', SAME_ADDRESS)
    const holder = await findAccountByName(handle, email)
    if (holder && holder.id !== account.id) throw fieldProblem('email', takenWords(holder, email))
  }

  async function sentencesOfEnd(handle: Db, account: Account, ending: Ending): Promise<string[]> {
    return endingSentences(ending, await endingFacts(handle, account))
  }

  /** In the words of the plan, so that nobody agrees to what became something else. */
  async function requireSame(handle: Db, account: Account, wanted: { ending: Ending; version: string }): Promise<void> {
    const sentences = await sentencesOfEnd(handle, account, wanted.ending)
    if (versionOfSentences(sentences) !== wanted.version) throw new Problem('CHANGED_MEANWHILE')
  }

  async function closedForGood(account: Account): Promise<Problem | null> {
    if (account.deactivatedBy === 'self') return new Problem('ACCOUNT_CLOSED', { message: CLOSED_FOR_GOOD })
    return (await findKeptAddress(db, account.id)) === null ? null : new Problem('IS_MERGED')
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

  const acts: MemberAccountService['acts'] = {
    'member.change_email': {
      permission: 'members.change',
      title: async (request) => `Change the email address of ${await ownerOf(request)}`,
      async describe(handle, { subjectId, payload }) {
        const account = await findAccount(handle, subjectId)
        const sentences = [
          `The address changes from ${account?.email ?? payload['before']} to ${payload['after']}.`,
          `An email goes to ${payload['after']}. Nothing changes until somebody confirms it from there, within 3 days.`,
          'The present address is told at the same time and can stop it.',
          'On confirmation every device is signed out, and a new password has to be chosen.',
        ]
        return { sentences, version: versionOfSentences(sentences) }
      },
      async carryOut(tx, { subjectId, payload, askedBy, reason }, approvedBy) {
        const account = await lockPerson(tx, 'askMemberEmail', askedBy, subjectId)
        if (account.deactivatedBy !== null) throw new Problem('ACCOUNT_CLOSED')
        // The address they were asked to replace is another one by now.
        if (account.email !== payload['before']) throw new Problem('APPROVAL_STALE', { message: ADDRESS_MOVED })
        const email = String(payload['after'])
        await requireFree(tx, account, email)
        await emailChanges.askAsOfficer(tx, { accountId: subjectId, email, askedBy, approvedBy, reason })
      },
    },

    'member.end': {
      permission: 'members.change',
      title: async (request) =>
        `End the account of ${await ownerOf(request)}, ${endingOf(request) === 'deceased' ? 'who died' : 'on request'}`,
      async describe(handle, request) {
        const account = await findAccount(handle, request.subjectId)
        const sentences = account ? await sentencesOfEnd(handle, account, endingOf(request)) : []
        return { sentences, version: versionOfSentences(sentences) }
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
    acts,

    async changeEmail(by, id, { email, reason, seen }) {
      const person = await requirePerson(db, id)
      // Before anything is counted; asked again below, where the account is locked.
      await guard.require(db, { act: 'askMemberEmail', by: by.accountId, on: id })
      await requireFree(db, person, email)
      await emailChanges.requireRoom(email)
      await db.transaction().execute(async (tx) => {
        const account = await lockPerson(tx, 'askMemberEmail', by.accountId, id)
        if (account.deactivatedBy !== null) throw new Problem('ACCOUNT_CLOSED')
        if (account.email !== seen) throw new Problem('CHANGED_MEANWHILE')
        await requireFree(tx, account, email)
        if (await holdsRoleFrom(tx, id, today())) {
          const payload = { before: account.email, after: email }
          await approvals.ask(tx, by, { act: 'member.change_email', subjectId: id, payload, reason })
        } else {
          const change = { accountId: id, email, askedBy: by.accountId, approvedBy: null, reason }
          await emailChanges.askAsOfficer(tx, change)
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
        version: versionOfSentences(sentences),
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
          await approvals.ask(tx, by, { act: 'member.end', subjectId: id, payload: { ending }, reason })
          return false
        }
        await deletions.beginEnd(tx, { accountId: id, ending, askedBy: by.accountId, approvedBy: null, reason })
        return true
      })
      wakeOutbox()
      if (isBegun) await deletions.finishEnd(id)
    },

    async about(by, { id }) {
      const change = await findEmailChange(db, id)
      const isPending = change !== null && emailChangeEndsAt(change) > clock.now()
      const waiting = await approvals.about(by, id)
      const end = await findEnd(db, id)
      return {
        ...(isPending && {
          emailChange: {
            email: change.email,
            askedBy: change.askedBy === null ? null : await nameOf(change.askedBy),
            askedAt: new Date(change.askedAt).toISOString(),
            expiresAt: new Date(emailChangeEndsAt(change)).toISOString(),
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
        await emailChanges.askAsOfficer(tx, change)
      })
      wakeOutbox()
    },

    withdrawEmailAsWebmaster: (id) => emailChanges.withdraw('webmaster', id),

    async planEndAsWebmaster(id, ending) {
      const account = await requirePerson(db, id)
      const closed = await closedForGood(account)
      if (closed) throw closed
      const sentences = await sentencesOfEnd(db, account, ending)
      return { sentences, version: versionOfSentences(sentences) }
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

const SAME_ADDRESS = 'This is the email address of the account already.'
const ADDRESS_MOVED =
  'The address of this account is another one by now, so this request is about the wrong one. Decline it; the officer can ask again.'
const CLOSED_FOR_GOOD = 'This account was ended or deleted already.'

function takenWords({ firstName, lastName, email: theirs }: Account, email: string): string {
  const name = `${firstName} ${lastName}`
  return nameKey(theirs) === nameKey(email)
    ? `${name} has an account with this address. If it is the same person, merge the two accounts instead.`
    : `${name} has this address as a username. Change that username first.`
}
