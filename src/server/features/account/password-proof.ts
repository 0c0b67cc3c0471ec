import { fieldProblem, Problem } from '#server/platform/problem.ts'
import type { Limit, RateLimiter } from '#server/platform/rate-limiter.ts'
import { isPasswordRight } from '../auth/passwords.ts'
import type { Account } from './account.repository.ts'

/** The password asked for before what cannot be taken back: whoever holds a token alone must neither get past nor guess on. */
export interface PasswordProof {
  /** @throws Problem INVALID_INPUT with the sentence under `field` (docs/product-rules.md#when-a-session-ends), RATE_LIMITED after too many wrong ones */
  require(account: Account, password: string, wrong: { field: string; sentence: string }): Promise<void>
}

/** Counted apart from log-in, so that a stranger who guesses there does not keep the owner from changing the password here. */
const COUNTED_AS = 'proof-wrong'

export function createPasswordProof({
  limiter,
  wrongPasswordLimit,
}: {
  limiter: RateLimiter
  wrongPasswordLimit(): Limit
}): PasswordProof {
  async function refuseBeyondLimit(accountId: string, ask: 'peek' | 'hit'): Promise<void> {
    const verdict = await limiter[ask](COUNTED_AS, accountId, wrongPasswordLimit())
    if (!verdict.allowed) throw new Problem('RATE_LIMITED', { rate: verdict })
  }

  return {
    async require({ id, passwordHash }, password, { field, sentence }) {
      await refuseBeyondLimit(id, 'peek')
      // Guesses sent at once all pass here; those beyond the limit learn nothing below, neither wrong nor right.
      const isRight = await isPasswordRight(passwordHash, password)
      await refuseBeyondLimit(id, isRight ? 'peek' : 'hit')
      if (!isRight) throw fieldProblem(field, sentence)
    },
  }
}
