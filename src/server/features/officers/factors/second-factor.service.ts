import type { Kysely } from 'kysely'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { beginSecondFactor, proveSecondFactor } from '#contract/console.ts'
import { messages } from '#contract/messages.ts'
import type { FactorList } from '#contract/passkeys.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Caller } from '#server/http/serve.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import { fieldProblem, Problem } from '#server/platform/problem.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { lockAccount } from '../account/account.repository.ts'
import { createAuthenticator } from './authenticator.ts'
import type { Factors, Proof } from './factors.ts'
import type { OfficerService } from './officer.service.ts'
import {
  countRecoveryCodes,
  deleteAuthenticator,
  endOtherProofs,
  findSecondFactor,
  keepSecret,
  recordProof,
  takeStep,
  useRecoveryCode,
} from './second-factor.repository.ts'

export interface SecondFactorService {
  state(caller: Caller): Promise<Proof>
  /**
   * A secret for an app, shown before it counts. @throws Problem NOT_AN_OFFICER, INVALID_INPUT for the wrong password, PASSWORD_TOO_SHORT,
   * SECOND_FACTOR_EXISTS, SECOND_FACTOR_AGAIN where a passkey was not used lately
   */
  begin(caller: Caller, password: string): Promise<ReplyOf<typeof beginSecondFactor>>
  /** The first code; answers the recovery codes, which are kept as hashes only. @throws Problem SECOND_FACTOR_EXISTS, SECOND_FACTOR_AGAIN, INVALID_INPUT, RATE_LIMITED */
  confirm(caller: Caller, code: string): Promise<string[]>
  /** A code of the app or a recovery code, each once. @throws Problem SECOND_FACTOR_REQUIRED when nothing was set up, INVALID_INPUT, RATE_LIMITED */
  prove(caller: Caller, code: string): Promise<ReplyOf<typeof proveSecondFactor>>
  renewRecoveryCodes(caller: Caller): Promise<string[]>
  /** Takes the app away from whoever has a passkey, and closes the console in all other sessions. @throws Problem NOT_FOUND, LAST_FACTOR */
  removeApp(caller: Caller): Promise<FactorList>
}

/** Codes have six digits: ten wrong ones in a quarter of an hour leave a guesser one chance in thirty thousand a day. */
const COUNTED_AS = 'second-factor-wrong'

export function createSecondFactorService({
  db,
  clock,
  secrets,
  factors,
  officers,
  issuer,
  wakeOutbox,
}: {
  db: Kysely<Schema>
  clock: Clock
  secrets: Secrets
  factors: Factors
  officers: OfficerService
  /** Shown by the app above the code. */
  issuer(): string
  wakeOutbox(): void
}): SecondFactorService {
  const authenticator = createAuthenticator(secrets)

  async function refuseCode(accountId: string, hasApp = true): Promise<never> {
    await factors.refuseBeyondLimit(COUNTED_AS, accountId, 'hit')
    throw fieldProblem('code', hasApp ? messages.officer.codeWrong : messages.officer.recoveryCodeWrong)
  }

  return {
    state: factors.state,

    async begin(caller, password) {
      const { accountId } = caller
      const officer = await factors.requirePassword(accountId, password)
      const secret = authenticator.newSecret()
      await db.transaction().execute(async (tx) => {
        if ((await factors.lockToAdd(tx, caller)).includes('app')) throw new Problem('SECOND_FACTOR_EXISTS')
        await keepSecret(tx, { accountId, secret, now: clock.now() })
      })
      return authenticator.describe(secret, { email: officer.email, issuer: issuer() })
    },

    async confirm(caller, code) {
      const { accountId, sessionId } = caller
      await officers.identify(accountId)
      await factors.refuseBeyondLimit(COUNTED_AS, accountId, 'peek')
      const factor = await findSecondFactor(db, accountId)
      if (factor?.confirmedAt) throw new Problem('SECOND_FACTOR_EXISTS')
      const now = clock.now()
      const step = factor && authenticator.stepOf(factor.secret, code, now)
      if (!step) return refuseCode(accountId)
      const codes = await db.transaction().execute(async (tx) => {
        const ways = await factors.lockToAdd(tx, caller)
        // Somebody else's first code came first, or the app was begun anew meanwhile.
        if (ways.includes('app') || !(await takeStep(tx, { accountId, step, now })))
          throw new Problem('SECOND_FACTOR_EXISTS')
        await recordProof(tx, { sessionId, accountId, now })
        await writeAudit(tx, { actor: accountId, action: 'second-factor.confirmed', subjectId: accountId }, now)
        await factors.tell(tx, accountId, { kind: 'app-added' })
        return factors.firstRecoveryCodes(tx, accountId)
      })
      wakeOutbox()
      return codes
    },

    async prove(caller, code) {
      const { accountId, sessionId } = caller
      await officers.identify(accountId)
      await factors.refuseBeyondLimit(COUNTED_AS, accountId, 'peek')
      const ways = await factors.ways(db, accountId)
      if (ways.length === 0) throw new Problem('SECOND_FACTOR_REQUIRED')
      const app = await findSecondFactor(db, accountId)
      const now = clock.now()
      const step = app?.confirmedAt ? authenticator.stepOf(app.secret, code, now) : null
      const hash = authenticator.hashRecoveryCode(accountId, code)
      const isRight = step
        ? await takeStep(db, { accountId, step, now })
        : await useRecoveryCode(db, { accountId, hash, now })
      if (!isRight) return refuseCode(accountId, ways.includes('app'))
      await recordProof(db, { sessionId, accountId, now })
      if (!step) await writeAudit(db, { actor: accountId, action: 'recovery-code.used', subjectId: accountId }, now)
      return { secondFactor: await factors.state(caller), recoveryCodesLeft: await countRecoveryCodes(db, accountId) }
    },

    renewRecoveryCodes: ({ accountId }) => db.transaction().execute((tx) => factors.newRecoveryCodes(tx, accountId)),

    async removeApp({ accountId, sessionId }) {
      const now = clock.now()
      await db.transaction().execute(async (tx) => {
        await lockAccount(tx, accountId)
        const ways = await factors.ways(tx, accountId)
        if (!ways.includes('app')) throw new Problem('NOT_FOUND')
        if (ways.length === 1) throw new Problem('LAST_FACTOR')
        await deleteAuthenticator(tx, accountId)
        await endOtherProofs(tx, { accountId, sessionId })
        await writeAudit(tx, { actor: accountId, action: 'second-factor.removed', subjectId: accountId }, now)
        await factors.tell(tx, accountId, { kind: 'app-removed' })
      })
      wakeOutbox()
      return factors.list(accountId)
    },
  }
}
