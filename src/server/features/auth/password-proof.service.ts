import type { AppContext } from '#server/app-context.ts'
import { fieldProblem, Problem } from '#server/lib/problem.ts'
import { verifyPassword } from './password-hash.service.ts'
import type { Account } from '#server/features/accounts/account.queries.ts'

/** Counted separately from log-in, so that a stranger guessing there cannot lock the owner out here. */
const LIMIT_KEY = 'proof-wrong'

/** Asks for the password before an irreversible change: a stolen token alone must not be enough, nor allow guessing. */
export function createPasswordCheck({ limiter, settings }: AppContext) {
  async function requireBelowLimit(accountId: string, mode: 'peek' | 'hit'): Promise<void> {
    const verdict = await limiter[mode](LIMIT_KEY, accountId, settings().rateLimits.loginWrongPassword)
    if (!verdict.allowed) throw new Problem('RATE_LIMITED', { rate: verdict })
  }

  return {
    /**
     * @throws Problem INVALID_INPUT with the sentence under `field` (docs/product-rules.md#when-a-session-ends),
     * RATE_LIMITED after too many wrong passwords
     */
    async require(
      { id, passwordHash }: Account,
      password: string,
      { field, sentence }: { field: string; sentence: string },
    ): Promise<void> {
      await requireBelowLimit(id, 'peek')
      // Concurrent guesses all pass this check; beyond the limit, the check below hides whether they were right.
      const isRight = await verifyPassword(passwordHash, password)
      await requireBelowLimit(id, isRight ? 'peek' : 'hit')
      if (!isRight) throw fieldProblem(field, sentence)
    },
  }
}

export type PasswordCheck = ReturnType<typeof createPasswordCheck>
