import type { Tx } from '#server/db/database.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { createAccount, lockAccount } from '#server/features/accounts/account.commands.ts'
import { findAccount, findAccountByEmail, type Account } from '#server/features/accounts/account.queries.ts'
import { recordConsent } from '#server/features/accounts/consent.commands.ts'
import { markCompleted } from '#server/features/auth/registration/registration.commands.ts'
import { findRegistration } from '#server/features/auth/registration/registration.queries.ts'
import { saveJoiningRecord } from '#server/features/member-record/record-value.commands.ts'
import type { Level } from '#server/features/levels/level.queries.ts'
import { extendTerm, startMembership, termEnd } from '../membership-start.commands.ts'
import type { Membership } from '../membership.queries.ts'

/** Finds the person's account, or creates it from the registration for a first membership. */
async function accountOf(tx: Tx, personId: string, now: number): Promise<Account | null> {
  const registration = await findRegistration(tx, personId)
  if (!registration || !(await markCompleted(tx, personId, now))) return findAccount(tx, personId)
  const account = await createAccount(tx, { ...registration, createdAt: now }, now)
  if (account) {
    const { id, termsVersion: version, createdAt: givenAt } = registration
    await recordConsent(tx, { personId: id, kind: 'terms', version, givenAt }, now)
    if (registration.record) await saveJoiningRecord(tx, { accountId: id, record: registration.record }, now)
    await writeAudit(tx, { actor: id, action: 'account.created', subjectId: id }, now)
  }
  // Another registration created an account for the address in the meantime. Both verified the address, so the payment belongs to that account.
  return account ?? findAccountByEmail(tx, registration.email)
}

/** Locks the account of the buyer, then re-reads it: it may have been closed while we waited. Creates it from the registration if needed. */
export async function lockBuyerAccount(tx: Tx, personId: string, now: number): Promise<Account | null> {
  const account = await accountOf(tx, personId, now)
  if (!account) return null
  await lockAccount(tx, account.id)
  return findAccount(tx, account.id)
}

/** Adds a term after the current one. Returns its end. */
export async function addTerm(tx: Tx, current: Membership, level: Level, now: number): Promise<number | null> {
  const endsAt = termEnd(current.endsAt ?? now, level)
  if (endsAt !== null) await extendTerm(tx, current, { endsAt, actor: current.accountId, now })
  return endsAt
}

/** Starts a term now, with the member as actor. Returns its end. */
export async function startTerm(
  tx: Tx,
  { account: { id }, level, current, now }: { account: Account; level: Level; current: Membership | null; now: number },
  subscriptionId: string | null,
): Promise<number | null> {
  const endsAt = termEnd(now, level)
  await startMembership(tx, { accountId: id, level, current, endsAt, subscriptionId, actor: id, now })
  return endsAt
}
