import { refreshDirectoryWords } from '#server/features/member-record/directory-words.commands.ts'
import { isDeepStrictEqual } from 'node:util'
import type { AppContext } from '#server/app-context.ts'
import type { Kysely } from 'kysely'
import type { BodyOf, ReplyOf } from '#contract/endpoint.ts'
import type { getProfile, Profile, Subscription } from '#contract/public/account.ts'
import type { changePassword, updateProfile } from '#contract/public/account-changes.ts'
import { isEmailShaped } from '#contract/fields.ts'
import { messages } from '#contract/messages.ts'
import type { Schema } from '#server/db/schema/schema.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { fieldProblem, Problem } from '#server/lib/problem.ts'
import { invalidateTokens } from '#server/features/auth/one-time-token.commands.ts'
import { officerPasswordProblem, passwordProblem } from '#server/features/auth/password.rules.ts'
import { hashPassword } from '#server/features/auth/password-hash.service.ts'
import { revokeSessions } from '#server/features/auth/sessions/session.commands.ts'
import type { SessionService } from '#server/features/auth/sessions/session.service.ts'
import { findAccount, toUser, type Account } from '#server/features/accounts/account.queries.ts'
import { lockAccount, setPassword } from '#server/features/accounts/account.commands.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'
import type { PasswordCheck } from '#server/features/auth/password-proof.service.ts'
import { changeProfile } from '#server/features/accounts/profile.commands.ts'
import { sendPasswordChanged } from '#server/features/auth/auth.emails.ts'

export function createAccountService(
  { db, clock, wakeOutbox }: AppContext,
  {
    sessions,
    proof,
    subscriptionOf,
    isOfficer,
  }: {
    sessions: SessionService
    proof: PasswordCheck
    subscriptionOf(accountId: string): Promise<Subscription | null>
    isOfficer(accountId: string): Promise<boolean>
  },
) {
  return {
    async profile(accountId: string): Promise<ReplyOf<typeof getProfile>> {
      const account = await requireAccount(db, accountId)
      return { profile: toProfile(account), subscription: await subscriptionOf(accountId) }
    },

    /** @throws Problem INVALID_INPUT, USERNAME_TAKEN; PROFILE_CHANGED if the profile differs from what the person saw */
    async updateProfile(accountId: string, { username, name, seen }: BodyOf<typeof updateProfile>): Promise<Profile> {
      const now = clock.now()
      return db.transaction().execute(async (tx) => {
        await lockAccount(tx, accountId)
        const account = await requireAccount(tx, accountId)
        if (seen && !matchesSeen(toProfile(account), seen)) throw new Problem('PROFILE_CHANGED')
        if (isEmailShaped(username) && nameKey(username) !== nameKey(account.email)) {
          throw fieldProblem('username', messages.username.foreignEmail)
        }
        const wanted = { username, firstName: name.first, lastName: name.last }
        if (!(await changeProfile(tx, account, wanted, now))) {
          throw new Problem('USERNAME_TAKEN', { fields: { username: messages.username.taken } })
        }
        await refreshDirectoryWords(tx, accountId)
        await writeAudit(tx, { actor: accountId, action: 'profile.changed', subjectId: accountId }, now)
        return toProfile({ ...account, ...wanted })
      })
    },

    /**
     * Ends every session, starts a new one for the caller and returns its token
     * (docs/product-rules.md#server-checks-of-a-token).
     * @throws Problem INVALID_INPUT, RATE_LIMITED
     */
    async changePassword(
      accountId: string,
      { currentPassword, newPassword }: BodyOf<typeof changePassword>,
      userAgent: string,
    ): Promise<string> {
      const account = await requireAccount(db, accountId)
      const wrong = { field: 'currentPassword', sentence: messages.changePassword.current.incorrect }
      await proof.require(account, currentPassword, wrong)
      const fault =
        passwordProblem(newPassword, account) ??
        ((await isOfficer(accountId)) ? officerPasswordProblem(newPassword) : null)
      if (fault) throw fieldProblem('newPassword', fault)

      const passwordHash = await hashPassword(newPassword)
      const now = clock.now()
      const token = await db.transaction().execute(async (tx) => {
        await lockAccount(tx, accountId)
        const { tokenVersion } = await requireAccount(tx, accountId)
        // The password was changed or reset while we were hashing: the one we checked is no longer valid.
        if (tokenVersion !== account.tokenVersion) throw fieldProblem(wrong.field, wrong.sentence)
        await setPassword(tx, accountId, passwordHash, now)
        await revokeSessions(tx, accountId, now)
        await invalidateTokens(tx, { subjectId: accountId, now })
        await writeAudit(tx, { actor: accountId, action: 'password.changed', subjectId: accountId }, now)
        await addToOutbox(tx, { effect: sendPasswordChanged, payload: { accountId } }, now)
        return sessions.start(tx, { id: accountId, tokenVersion: tokenVersion + 1 }, userAgent)
      })
      wakeOutbox()
      return token
    },
  }
}

export type AccountService = ReturnType<typeof createAccountService>

/** Whether every field that the person saw is still the same. */
function matchesSeen(saved: Profile, seen: NonNullable<BodyOf<typeof updateProfile>['seen']>): boolean {
  return isDeepStrictEqual({ ...saved, ...seen }, saved)
}

/** Returns the caller's account. @throws Problem SESSION_EXPIRED if it no longer exists */
export async function requireAccount(db: Kysely<Schema>, accountId: string): Promise<Account> {
  const account = await findAccount(db, accountId)
  if (!account) throw new Problem('SESSION_EXPIRED')
  return account
}

function toProfile(account: Account): Profile {
  return { ...toUser(account), createdAt: new Date(account.createdAt).toISOString() }
}
