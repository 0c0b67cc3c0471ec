import type { Kysely } from 'kysely'
import { officerLimits } from '#contract/access.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { beginSecondFactor, getOfficer } from '#contract/console.ts'
import { messages } from '#contract/messages.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Caller } from '#server/http/serve.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import { fieldProblem, Problem } from '#server/platform/problem.ts'
import type { Limit, RateLimiter } from '#server/platform/rate-limiter.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { findAccount } from '../account/account.repository.ts'
import type { PasswordProof } from '../account/password-proof.ts'
import { createAuthenticator } from './authenticator.ts'
import type { OfficerService } from './officer.service.ts'
import {
  countRecoveryCodes,
  findProof,
  findSecondFactor,
  keepSecret,
  recordProof,
  replaceRecoveryCodes,
  takeStep,
  useRecoveryCode,
} from './second-factor.repository.ts'

type Proof = ReplyOf<typeof getOfficer>['secondFactor']

export interface SecondFactorService {
  state(caller: Caller): Promise<Proof>
  /** A secret for an app, shown before it counts. @throws Problem NOT_AN_OFFICER, INVALID_INPUT for the wrong password, PASSWORD_TOO_SHORT, SECOND_FACTOR_EXISTS */
  begin(caller: Caller, password: string): Promise<ReplyOf<typeof beginSecondFactor>>
  /** The first code; answers the recovery codes, which are kept as hashes only. @throws Problem SECOND_FACTOR_EXISTS, INVALID_INPUT, RATE_LIMITED */
  confirm(caller: Caller, code: string): Promise<string[]>
  /** A code of the app or a recovery code, each once. @throws Problem SECOND_FACTOR_REQUIRED when there is no app, INVALID_INPUT, RATE_LIMITED */
  prove(caller: Caller, code: string): Promise<{ secondFactor: Proof; recoveryCodesLeft: number }>
  renewRecoveryCodes(caller: Caller): Promise<string[]>
}

/** Codes have six digits: ten wrong ones in a quarter of an hour leave a guesser one chance in thirty thousand a day. */
const COUNTED_AS = 'second-factor-wrong'

export function createSecondFactorService({
  db,
  clock,
  secrets,
  limiter,
  proof,
  officers,
  issuer,
  wrongCodeLimit,
}: {
  db: Kysely<Schema>
  clock: Clock
  secrets: Secrets
  limiter: RateLimiter
  proof: PasswordProof
  officers: OfficerService
  /** Shown by the app above the code. */
  issuer(): string
  wrongCodeLimit(): Limit
}): SecondFactorService {
  const authenticator = createAuthenticator(secrets)

  async function refuseBeyondLimit(accountId: string, ask: 'peek' | 'hit'): Promise<void> {
    const verdict = await limiter[ask](COUNTED_AS, accountId, wrongCodeLimit())
    if (!verdict.allowed) throw new Problem('RATE_LIMITED', { rate: verdict })
  }

  async function refuseCode(accountId: string): Promise<never> {
    await refuseBeyondLimit(accountId, 'hit')
    throw fieldProblem('code', messages.officer.codeWrong)
  }

  async function state({ accountId, sessionId }: Caller): Promise<Proof> {
    const [factor, provedAt] = await Promise.all([findSecondFactor(db, accountId), findProof(db, sessionId)])
    const until = provedAt === null ? 0 : provedAt + officerLimits.provedForMs
    return {
      isEnrolled: factor !== null && factor.confirmedAt !== null,
      provedUntil: until > clock.now() ? new Date(until).toISOString() : null,
    }
  }

  async function giveRecoveryCodes(accountId: string, tx: Kysely<Schema>): Promise<string[]> {
    const now = clock.now()
    const codes = authenticator.newRecoveryCodes()
    const hashes = codes.map((code) => authenticator.hashRecoveryCode(accountId, code))
    await replaceRecoveryCodes(tx, { accountId, hashes, now })
    await writeAudit(tx, { actor: accountId, action: 'recovery-codes.renewed', subjectId: accountId }, now)
    return codes
  }

  return {
    state,

    async begin({ accountId }, password) {
      const officer = await officers.identify(accountId)
      const account = await findAccount(db, accountId)
      if (!account) throw new Problem('SESSION_EXPIRED')
      await proof.require(account, password, { field: 'password', sentence: messages.password.incorrect })
      if (password.length < officerLimits.passwordMin) throw new Problem('PASSWORD_TOO_SHORT')
      const factor = await findSecondFactor(db, accountId)
      if (factor?.confirmedAt) throw new Problem('SECOND_FACTOR_EXISTS')
      const secret = authenticator.newSecret()
      await keepSecret(db, { accountId, secret, now: clock.now() })
      return authenticator.describe(secret, { email: officer.email, issuer: issuer() })
    },

    async confirm({ accountId, sessionId }, code) {
      await officers.identify(accountId)
      await refuseBeyondLimit(accountId, 'peek')
      const factor = await findSecondFactor(db, accountId)
      if (factor?.confirmedAt) throw new Problem('SECOND_FACTOR_EXISTS')
      const now = clock.now()
      const step = factor && authenticator.stepOf(factor.secret, code, now)
      if (!step) return refuseCode(accountId)
      return db.transaction().execute(async (tx) => {
        // Somebody else's first code came first, or the app was begun anew meanwhile.
        if (!(await takeStep(tx, { accountId, step, now }))) throw new Problem('SECOND_FACTOR_EXISTS')
        await recordProof(tx, { sessionId, accountId, now })
        await writeAudit(tx, { actor: accountId, action: 'second-factor.confirmed', subjectId: accountId }, now)
        return giveRecoveryCodes(accountId, tx)
      })
    },

    async prove(caller, code) {
      const { accountId, sessionId } = caller
      await officers.identify(accountId)
      await refuseBeyondLimit(accountId, 'peek')
      const factor = await findSecondFactor(db, accountId)
      if (!factor?.confirmedAt) throw new Problem('SECOND_FACTOR_REQUIRED')
      const now = clock.now()
      const step = authenticator.stepOf(factor.secret, code, now)
      const hash = authenticator.hashRecoveryCode(accountId, code)
      const isRight = step
        ? await takeStep(db, { accountId, step, now })
        : await useRecoveryCode(db, { accountId, hash, now })
      if (!isRight) return refuseCode(accountId)
      await recordProof(db, { sessionId, accountId, now })
      if (!step) await writeAudit(db, { actor: accountId, action: 'recovery-code.used', subjectId: accountId }, now)
      return { secondFactor: await state(caller), recoveryCodesLeft: await countRecoveryCodes(db, accountId) }
    },

    renewRecoveryCodes: ({ accountId }) => db.transaction().execute((tx) => giveRecoveryCodes(accountId, tx)),
  }
}
