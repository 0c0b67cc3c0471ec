import type { AppContext } from '#server/app-context.ts'
import { officerLimits, type SecondFactor } from '#contract/access.ts'
import type { getOfficer } from '#contract/console/console.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import type { FactorList } from '#contract/public/passkeys.ts'
import type { Db } from '#server/db/database.ts'
import type { Caller, Officer } from '#server/http/serve.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { Problem } from '#server/lib/problem.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import { lockAccount } from '#server/features/accounts/account.commands.ts'
import type { PasswordCheck } from '#server/features/auth/password-proof.service.ts'
import { createAuthenticator } from './authenticator.service.ts'
import type { FactorChange } from './factor.emails.ts'
import type { OfficerService } from '../officer.service.ts'
import { findPasskeys } from './passkey.repository.ts'
import {
  countRecoveryCodes,
  findVerifiedAt,
  findAuthenticator,
  replaceRecoveryCodes,
} from './second-factor.repository.ts'
import { sendFactorChanged } from './factor.emails.ts'

export type SecondFactorState = ReplyOf<typeof getOfficer>['secondFactor']

/**
 * Shared by authenticator apps and passkeys: either opens the console, and adding another one requires an existing one.
 */
export function createSecondFactors(
  { db, clock, secrets, limiter, settings }: AppContext,
  {
    proof,
    officers,
  }: {
    proof: PasswordCheck
    officers: OfficerService
  },
) {
  const authenticator = createAuthenticator(secrets)

  const factors = {
    async listKinds(tx: Db, accountId: string): Promise<SecondFactor[]> {
      const [passkeys, app] = [await findPasskeys(tx, accountId), await findAuthenticator(tx, accountId)]
      return [...(passkeys.length > 0 ? (['passkey'] as const) : []), ...(app?.confirmedAt ? (['app'] as const) : [])]
    },

    async state({ accountId, sessionId }: Caller): Promise<SecondFactorState> {
      const [existing, provedAt] = await Promise.all([factors.listKinds(db, accountId), findVerifiedAt(db, sessionId)])
      const until = provedAt === null ? 0 : provedAt + officerLimits.provedForMs
      return {
        isEnrolled: existing.length > 0,
        ways: existing,
        provedUntil: until > clock.now() ? new Date(until).toISOString() : null,
      }
    },

    async list(accountId: string): Promise<FactorList> {
      const [passkeys, app, recoveryCodesLeft] = await Promise.all([
        findPasskeys(db, accountId),
        findAuthenticator(db, accountId),
        countRecoveryCodes(db, accountId),
      ])
      return {
        passkeys: passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
          id,
          name,
          createdAt: new Date(createdAt).toISOString(),
          lastUsedAt: lastUsedAt === null ? null : new Date(lastUsedAt).toISOString(),
        })),
        app: app?.confirmedAt ? { since: new Date(app.confirmedAt).toISOString() } : null,
        recoveryCodesLeft,
      }
    },

    /** @throws Problem NOT_AN_OFFICER, INVALID_INPUT for a wrong password, PASSWORD_TOO_SHORT */
    async requirePassword(accountId: string, password: string): Promise<Officer> {
      const officer = await officers.identify(accountId)
      const account = await findAccount(db, accountId)
      if (!account) throw new Problem('SESSION_EXPIRED')
      await proof.require(account, password, { field: 'password', sentence: messages.password.incorrect })
      if (password.length < officerLimits.passwordMin) throw new Problem('PASSWORD_TOO_SHORT')
      return officer
    },

    /**
     * Locks the account until the transaction ends; returns its factors.
     * @throws Problem SECOND_FACTOR_AGAIN if it has one that was not verified recently
     */
    async lockToAdd(tx: Db, { accountId, sessionId }: Caller): Promise<SecondFactor[]> {
      await lockAccount(tx, accountId)
      const existing = await factors.listKinds(tx, accountId)
      const provedAt = await findVerifiedAt(tx, sessionId)
      const isFresh = provedAt !== null && clock.now() - provedAt < officerLimits.freshForMs
      if (existing.length > 0 && !isFresh) throw new Problem('SECOND_FACTOR_AGAIN')
      return existing
    },

    /** @throws Problem RATE_LIMITED */
    async requireBelowLimit(limitKey: string, accountId: string, mode: 'peek' | 'hit'): Promise<void> {
      const verdict = await limiter[mode](limitKey, accountId, settings().rateLimits.secondFactorWrong)
      if (!verdict.allowed) throw new Problem('RATE_LIMITED', { rate: verdict })
    },

    /** Creates recovery codes if none are left; otherwise returns an empty list. */
    async ensureRecoveryCodes(tx: Db, accountId: string): Promise<string[]> {
      return (await countRecoveryCodes(tx, accountId)) > 0 ? [] : factors.newRecoveryCodes(tx, accountId)
    },

    async newRecoveryCodes(tx: Db, accountId: string): Promise<string[]> {
      const now = clock.now()
      const codes = authenticator.newRecoveryCodes()
      const hashes = codes.map((code) => authenticator.hashRecoveryCode(accountId, code))
      await replaceRecoveryCodes(tx, { accountId, hashes, now })
      await writeAudit(tx, { actor: accountId, action: 'recovery-codes.renewed', subjectId: accountId }, now)
      return codes
    },

    /** Queues the email that informs the officer of a change. */
    async notify(tx: Db, accountId: string, change: FactorChange): Promise<void> {
      await queueFactorChangedEmail(tx, accountId, change, clock.now())
    },
  }
  return factors
}

export type SecondFactors = ReturnType<typeof createSecondFactors>

/** Queues the email about a change to a second factor. Call it in the transaction of the change. */
export async function queueFactorChangedEmail(
  tx: Db,
  accountId: string,
  change: FactorChange,
  now: number,
): Promise<void> {
  await addToOutbox(tx, { effect: sendFactorChanged, payload: { accountId, change, at: now } }, now)
}
