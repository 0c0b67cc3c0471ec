import { fieldProblem, Problem } from '#server/lib/problem.ts'
import type { Limit, RateLimiter } from '#server/limits/rate-limiter.ts'
import { verifyPassword } from './password-hash.service.ts'
import type { Account } from '#server/features/accounts/account.queries.ts'

/** Asks for the password before an irreversible change: a stolen token alone must not be enough, nor allow guessing. */
export interface PasswordCheck {
  /**
   * @throws Problem INVALID_INPUT with the sentence under `field` (docs/product-rules.md#when-a-session-ends),
   * RATE_LIMITED after too many wrong passwords
   */
  require(account: Account, password: string, wrong: { field: string; sentence: string }): Promise<void>
}

/** Counted separately from log-in, so that a stranger guessing there cannot lock the owner out here. */
const LIMIT_KEY = 'proof-wrong'

export function createPasswordCheck({
  limiter,
  wrongPasswordLimit,
}: {
  limiter: RateLimiter
  wrongPasswordLimit(): Limit
}): PasswordCheck {
  async function requireBelowLimit(accountId: string, mode: 'peek' | 'hit'): Promise<void> {
    const verdict = await limiter[mode](LIMIT_KEY, accountId, wrongPasswordLimit())
    if (!verdict.allowed) throw new Problem('RATE_LIMITED', { rate: verdict })
  }

  return {
    async require({ id, passwordHash }, password, { field, sentence }) {
      await requireBelowLimit(id, 'peek')
      // Concurrent guesses all pass this check; beyond the limit, the check below hides whether they were right.
      const isRight = await verifyPassword(passwordHash, password)
      await requireBelowLimit(id, isRight ? 'peek' : 'hit')
      if (!isRight) throw fieldProblem(field, sentence)
    },
  }
}
