import type { AppContext } from '#server/app-context.ts'
import type { Ending } from '#contract/console/member-account.ts'
import type { Db, Tx } from '#server/db/database.ts'
import { fieldProblem, Problem } from '#server/lib/problem.ts'
import { findMergeTargetEmail } from '#server/features/accounts/account-merge.queries.ts'
import { findAccount, findAccountByLogin, type Account } from '#server/features/accounts/account.queries.ts'
import { lockAccount } from '#server/features/accounts/account.commands.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'
import type { ActAuthorizer } from '#server/features/officers/approvals/act-guard.service.ts'
import { lockPresidents } from '#server/features/officers/officer.commands.ts'
import { createAccountEndPreview } from './account-end-preview.service.ts'
import { describeAccountEnd } from './account-end.rules.ts'

/** What is checked before an officer changes the email address of an account, or ends it. */
export function createAccountChecks(ctx: AppContext, { guard }: { guard: ActAuthorizer }) {
  const { db } = ctx
  const loadEndPreview = createAccountEndPreview(ctx)

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

  async function nameOf(accountId: string): Promise<string> {
    if (accountId === 'webmaster') return 'The webmaster'
    const account = await findAccount(db, accountId)
    return account ? `${account.firstName} ${account.lastName}` : 'An officer'
  }

  return { requirePerson, lockPerson, requireFree, sentencesOfEnd, nameOf }
}

export type AccountChecks = ReturnType<typeof createAccountChecks>

const SAME_ADDRESS = 'This is already the email address of the account.'

function addressTakenMessage({ firstName, lastName, email: theirs }: Account, email: string): string {
  const name = `${firstName} ${lastName}`
  return nameKey(theirs) === nameKey(email)
    ? `${name} has an account with this address. If it is the same person, merge the two accounts instead.`
    : `${name} has this address as a username. Change that username first.`
}
