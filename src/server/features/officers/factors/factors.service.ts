import type { Kysely } from 'kysely'
import { officerLimits, type Way } from '#contract/access.ts'
import type { getOfficer } from '#contract/console.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import type { FactorList } from '#contract/passkeys.ts'
import type { Db } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Caller, Officer } from '#server/http/serve.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import { addToOutbox } from '#server/platform/outbox.repository.ts'
import { Problem } from '#server/platform/problem.ts'
import type { Limit, RateLimiter } from '#server/platform/rate-limiter.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { findAccount, lockAccount } from '../account/account.repository.ts'
import type { PasswordProof } from '../account/password-proof.ts'
import { createAuthenticator } from './authenticator.ts'
import type { FactorChange } from './factor.emails.ts'
import type { OfficerService } from './officer.service.ts'
import { findPasskeys } from './passkey.repository.ts'
import { countRecoveryCodes, findProof, findSecondFactor, replaceRecoveryCodes } from './second-factor.repository.ts'

export type Proof = ReplyOf<typeof getOfficer>['secondFactor']

/** What authenticator app and passkeys have in common: one of them opens the console, and whoever has one needs it to bring another. */
export interface Factors {
  ways(db: Db, accountId: string): Promise<Way[]>
  state(caller: Caller): Promise<Proof>
  list(accountId: string): Promise<FactorList>
  /** @throws Problem NOT_AN_OFFICER, INVALID_INPUT for the wrong password, PASSWORD_TOO_SHORT */
  requirePassword(accountId: string, password: string): Promise<Officer>
  /** Locks the account until the transaction ends, and answers what it has. @throws Problem SECOND_FACTOR_AGAIN where it has something that was not given lately */
  lockToAdd(tx: Db, caller: Caller): Promise<Way[]>
  /** @throws Problem RATE_LIMITED */
  refuseBeyondLimit(countedAs: string, accountId: string, ask: 'peek' | 'hit'): Promise<void>
  /** New ones where none are left; none where there are some. */
  firstRecoveryCodes(tx: Db, accountId: string): Promise<string[]>
  newRecoveryCodes(tx: Db, accountId: string): Promise<string[]>
  /** What the officer reads by letter. */
  tell(tx: Db, accountId: string, change: FactorChange): Promise<void>
}

export function createFactors({
  db,
  clock,
  secrets,
  limiter,
  proof,
  officers,
  wrongCodeLimit,
}: {
  db: Kysely<Schema>
  clock: Clock
  secrets: Secrets
  limiter: RateLimiter
  proof: PasswordProof
  officers: OfficerService
  wrongCodeLimit(): Limit
}): Factors {
  const authenticator = createAuthenticator(secrets)

  const factors: Factors = {
    async ways(tx, accountId) {
      const [passkeys, app] = [await findPasskeys(tx, accountId), await findSecondFactor(tx, accountId)]
      return [...(passkeys.length > 0 ? (['passkey'] as const) : []), ...(app?.confirmedAt ? (['app'] as const) : [])]
    },

    async state({ accountId, sessionId }) {
      const [ways, provedAt] = await Promise.all([factors.ways(db, accountId), findProof(db, sessionId)])
      const until = provedAt === null ? 0 : provedAt + officerLimits.provedForMs
      return {
        isEnrolled: ways.length > 0,
        ways,
        provedUntil: until > clock.now() ? new Date(until).toISOString() : null,
      }
    },

    async list(accountId) {
      const [passkeys, app, recoveryCodesLeft] = await Promise.all([
        findPasskeys(db, accountId),
        findSecondFactor(db, accountId),
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

    async requirePassword(accountId, password) {
      const officer = await officers.identify(accountId)
      const account = await findAccount(db, accountId)
      if (!account) throw new Problem('SESSION_EXPIRED')
      await proof.require(account, password, { field: 'password', sentence: messages.password.incorrect })
      if (password.length < officerLimits.passwordMin) throw new Problem('PASSWORD_TOO_SHORT')
      return officer
    },

    async lockToAdd(tx, { accountId, sessionId }) {
      await lockAccount(tx, accountId)
      const ways = await factors.ways(tx, accountId)
      const provedAt = await findProof(tx, sessionId)
      const isFresh = provedAt !== null && clock.now() - provedAt < officerLimits.freshForMs
      if (ways.length > 0 && !isFresh) throw new Problem('SECOND_FACTOR_AGAIN')
      return ways
    },

    async refuseBeyondLimit(countedAs, accountId, ask) {
      const verdict = await limiter[ask](countedAs, accountId, wrongCodeLimit())
      if (!verdict.allowed) throw new Problem('RATE_LIMITED', { rate: verdict })
    },

    async firstRecoveryCodes(tx, accountId) {
      return (await countRecoveryCodes(tx, accountId)) > 0 ? [] : factors.newRecoveryCodes(tx, accountId)
    },

    async newRecoveryCodes(tx, accountId) {
      const now = clock.now()
      const codes = authenticator.newRecoveryCodes()
      const hashes = codes.map((code) => authenticator.hashRecoveryCode(accountId, code))
      await replaceRecoveryCodes(tx, { accountId, hashes, now })
      await writeAudit(tx, { actor: accountId, action: 'recovery-codes.renewed', subjectId: accountId }, now)
      return codes
    },

    async tell(tx, accountId, change) {
      await tellOfFactor(tx, accountId, change, clock.now())
    },
  }
  return factors
}

/** Queues the letter that says what became of somebody's second factor. Call it in the transaction of the change. */
export async function tellOfFactor(tx: Db, accountId: string, change: FactorChange, now: number): Promise<void> {
  await addToOutbox(tx, { kind: 'letter.factor_changed', payload: { accountId, change, at: now } }, now)
}
