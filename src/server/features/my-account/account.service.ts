import type { Kysely } from 'kysely'
import type { BodyOf, ReplyOf } from '#contract/endpoint.ts'
import type { getProfile, Profile, Subscription } from '#contract/account.ts'
import type { changePassword, updateProfile } from '#contract/account-changes.ts'
import { isEmailShaped } from '#contract/fields.ts'
import { messages } from '#contract/messages.ts'
import type { Schema } from '#server/db/schema.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import { addToOutbox } from '#server/platform/outbox.repository.ts'
import { fieldProblem, Problem } from '#server/platform/problem.ts'
import { endTokens } from '../auth/one-time-token.repository.ts'
import { officerPasswordFault, passwordFault } from '../auth/password.rules.ts'
import { hashPassword } from '../auth/passwords.ts'
import { revokeSessions } from '../auth/session.repository.ts'
import type { SessionService } from '../auth/session.service.ts'
import { findAccount, lockAccount, nameKey, setPassword, toUser, type Account } from './account.repository.ts'
import type { PasswordProof } from './password-proof.ts'
import { changeProfile } from './profile.repository.ts'

export interface AccountService {
  profile(accountId: string): Promise<ReplyOf<typeof getProfile>>
  /** @throws Problem INVALID_INPUT, USERNAME_TAKEN, PROFILE_CHANGED when it is no longer what the person saw */
  updateProfile(accountId: string, wanted: BodyOf<typeof updateProfile>): Promise<Profile>
  /** Ends every session and begins one for the caller, whose token it returns (docs/product-rules.md#server-checks-of-a-token). @throws Problem INVALID_INPUT, RATE_LIMITED */
  changePassword(accountId: string, passwords: BodyOf<typeof changePassword>, userAgent: string): Promise<string>
}

export function createAccountService({
  db,
  clock,
  sessions,
  proof,
  subscriptionOf,
  isOfficer,
  wakeOutbox,
}: {
  db: Kysely<Schema>
  clock: Clock
  sessions: SessionService
  proof: PasswordProof
  subscriptionOf(accountId: string): Promise<Subscription | null>
  isOfficer(accountId: string): Promise<boolean>
  wakeOutbox(): void
}): AccountService {
  return {
    async profile(accountId) {
      const account = await requireAccount(db, accountId)
      return { profile: toProfile(account), subscription: await subscriptionOf(accountId) }
    },

    async updateProfile(accountId, { username, name, seen }) {
      const now = clock.now()
      return db.transaction().execute(async (tx) => {
        await lockAccount(tx, accountId)
        const account = await requireAccount(tx, accountId)
        if (seen && !isWhatWasSeen(account, seen)) throw new Problem('PROFILE_CHANGED')
        if (isEmailShaped(username) && nameKey(username) !== nameKey(account.email)) {
          throw fieldProblem('username', messages.username.foreignEmail)
        }
        const wanted = { username, firstName: name.first, lastName: name.last }
        if (!(await changeProfile(tx, account, wanted, now))) {
          throw new Problem('USERNAME_TAKEN', { fields: { username: messages.username.taken } })
        }
        await writeAudit(tx, { actor: accountId, action: 'profile.changed', subjectId: accountId }, now)
        return toProfile({ ...account, ...wanted })
      })
    },

    async changePassword(accountId, { currentPassword, newPassword }, userAgent) {
      const account = await requireAccount(db, accountId)
      const wrong = { field: 'currentPassword', sentence: messages.changePassword.current.incorrect }
      await proof.require(account, currentPassword, wrong)
      const fault =
        passwordFault(newPassword, account) ?? ((await isOfficer(accountId)) ? officerPasswordFault(newPassword) : null)
      if (fault) throw fieldProblem('newPassword', fault)

      const passwordHash = await hashPassword(newPassword)
      const now = clock.now()
      const token = await db.transaction().execute(async (tx) => {
        await lockAccount(tx, accountId)
        const { tokenVersion } = await requireAccount(tx, accountId)
        // Changed or reset while we were hashing: what was proved is no longer the password.
        if (tokenVersion !== account.tokenVersion) throw fieldProblem(wrong.field, wrong.sentence)
        await setPassword(tx, accountId, passwordHash, now)
        await revokeSessions(tx, accountId, now)
        await endTokens(tx, { subjectId: accountId, now })
        await writeAudit(tx, { actor: accountId, action: 'password.changed', subjectId: accountId }, now)
        await addToOutbox(tx, { kind: 'letter.password_changed', payload: { accountId } }, now)
        return sessions.begin(tx, { id: accountId, tokenVersion: tokenVersion + 1 }, userAgent)
      })
      wakeOutbox()
      return token
    },
  }
}

function isWhatWasSeen(
  { username, firstName, lastName }: Account,
  seen: NonNullable<BodyOf<typeof updateProfile>['seen']>,
): boolean {
  return username === seen.username && firstName === seen.name.first && lastName === seen.name.last
}

/** The account of whoever is signed in. @throws Problem SESSION_EXPIRED when it is gone */
export async function requireAccount(db: Kysely<Schema>, accountId: string): Promise<Account> {
  const account = await findAccount(db, accountId)
  if (!account) throw new Problem('SESSION_EXPIRED')
  return account
}

function toProfile(account: Account): Profile {
  return { ...toUser(account), createdAt: new Date(account.createdAt).toISOString() }
}
