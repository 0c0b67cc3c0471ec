import type { AppContext } from '#server/app-context.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { beginSecondFactor, verifySecondFactor } from '#contract/console/console.ts'
import { messages } from '#contract/messages.ts'
import type { FactorList } from '#contract/public/passkeys.ts'
import type { Caller } from '#server/http/serve.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { fieldProblem, Problem } from '#server/lib/problem.ts'
import { lockAccount } from '#server/features/accounts/account.commands.ts'
import { createAuthenticator } from './authenticator.service.ts'
import type { SecondFactors } from './factors.service.ts'
import type { OfficerService } from '../officer.service.ts'
import {
  countRecoveryCodes,
  deleteAuthenticator,
  deleteOtherVerifications,
  findAuthenticator,
  saveAuthenticatorSecret,
  recordVerification,
  consumeTimeStep,
  useRecoveryCode,
} from './second-factor.repository.ts'

/** Codes have six digits: ten wrong ones per 15 minutes leave a guesser a chance of 1 in 30,000 a day. */
const LIMIT_KEY = 'second-factor-wrong'

export function createSecondFactorService(
  { db, clock, secrets, wakeOutbox, settings }: AppContext,
  {
    factors,
    officers,
  }: {
    factors: SecondFactors
    officers: OfficerService
  },
) {
  const authenticator = createAuthenticator(secrets)

  async function refuseCode(accountId: string, hasApp = true): Promise<never> {
    await factors.requireBelowLimit(LIMIT_KEY, accountId, 'hit')
    throw fieldProblem('code', hasApp ? messages.officer.codeWrong : messages.officer.recoveryCodeWrong)
  }

  return {
    state: factors.state,

    /**
     * Returns a secret for an app; it is not active until confirmed.
     * @throws Problem NOT_AN_OFFICER, INVALID_INPUT for a wrong password, PASSWORD_TOO_SHORT, SECOND_FACTOR_EXISTS,
     * SECOND_FACTOR_AGAIN if a passkey was not used recently
     */
    async begin(caller: Caller, password: string): Promise<ReplyOf<typeof beginSecondFactor>> {
      const { accountId } = caller
      const officer = await factors.requirePassword(accountId, password)
      const secret = authenticator.newSecret()
      await db.transaction().execute(async (tx) => {
        if ((await factors.lockToAdd(tx, caller)).includes('app')) throw new Problem('SECOND_FACTOR_EXISTS')
        await saveAuthenticatorSecret(tx, { accountId, secret, now: clock.now() })
      })
      return authenticator.enrollment(secret, { email: officer.email, issuer: settings().association.name })
    },

    /**
     * Confirms the app with its first code; returns the recovery codes, which are stored as hashes only.
     * @throws Problem SECOND_FACTOR_EXISTS, SECOND_FACTOR_AGAIN, INVALID_INPUT, RATE_LIMITED
     */
    async confirm(caller: Caller, code: string): Promise<string[]> {
      const { accountId, sessionId } = caller
      await officers.identify(accountId)
      await factors.requireBelowLimit(LIMIT_KEY, accountId, 'peek')
      const factor = await findAuthenticator(db, accountId)
      if (factor?.confirmedAt) throw new Problem('SECOND_FACTOR_EXISTS')
      const now = clock.now()
      const step = factor && authenticator.findTimeStep(factor.secret, code, now)
      if (!step) return refuseCode(accountId)
      const codes = await db.transaction().execute(async (tx) => {
        const existing = await factors.lockToAdd(tx, caller)
        // A concurrent request confirmed the app first, or setup was restarted.
        if (existing.includes('app') || !(await consumeTimeStep(tx, { accountId, step, now })))
          throw new Problem('SECOND_FACTOR_EXISTS')
        await recordVerification(tx, { sessionId, accountId, now })
        await writeAudit(tx, { actor: accountId, action: 'second-factor.confirmed', subjectId: accountId }, now)
        await factors.notify(tx, accountId, { kind: 'app-added' })
        return factors.ensureRecoveryCodes(tx, accountId)
      })
      wakeOutbox()
      return codes
    },

    /**
     * Accepts a code of the app or a recovery code, once each.
     * @throws Problem SECOND_FACTOR_REQUIRED if nothing is set up, INVALID_INPUT, RATE_LIMITED
     */
    async prove(caller: Caller, code: string): Promise<ReplyOf<typeof verifySecondFactor>> {
      const { accountId, sessionId } = caller
      await officers.identify(accountId)
      await factors.requireBelowLimit(LIMIT_KEY, accountId, 'peek')
      const existing = await factors.listKinds(db, accountId)
      if (existing.length === 0) throw new Problem('SECOND_FACTOR_REQUIRED')
      const app = await findAuthenticator(db, accountId)
      const now = clock.now()
      const step = app?.confirmedAt ? authenticator.findTimeStep(app.secret, code, now) : null
      const hash = authenticator.hashRecoveryCode(accountId, code)
      const isRight = step
        ? await consumeTimeStep(db, { accountId, step, now })
        : await useRecoveryCode(db, { accountId, hash, now })
      if (!isRight) return refuseCode(accountId, existing.includes('app'))
      await recordVerification(db, { sessionId, accountId, now })
      if (!step) await writeAudit(db, { actor: accountId, action: 'recovery-code.used', subjectId: accountId }, now)
      return { secondFactor: await factors.state(caller), recoveryCodesLeft: await countRecoveryCodes(db, accountId) }
    },

    renewRecoveryCodes: ({ accountId }: Caller): Promise<string[]> =>
      db.transaction().execute((tx) => factors.newRecoveryCodes(tx, accountId)),

    /**
     * Removes the app of an officer who has a passkey, and closes the console in all other sessions.
     * @throws Problem NOT_FOUND, LAST_FACTOR
     */
    async removeApp({ accountId, sessionId }: Caller): Promise<FactorList> {
      const now = clock.now()
      await db.transaction().execute(async (tx) => {
        await lockAccount(tx, accountId)
        const existing = await factors.listKinds(tx, accountId)
        if (!existing.includes('app')) throw new Problem('NOT_FOUND')
        if (existing.length === 1) throw new Problem('LAST_FACTOR')
        await deleteAuthenticator(tx, accountId)
        await deleteOtherVerifications(tx, { accountId, sessionId })
        await writeAudit(tx, { actor: accountId, action: 'second-factor.removed', subjectId: accountId }, now)
        await factors.notify(tx, accountId, { kind: 'app-removed' })
      })
      wakeOutbox()
      return factors.list(accountId)
    },
  }
}

export type SecondFactorService = ReturnType<typeof createSecondFactorService>
