import { sponsorLimits } from '#contract/public/sponsors.ts'
import { equalSecrets, type Secrets } from '#server/lib/secrets.ts'

/** How long the form may stay open. */
const LONGEST_MS = 4 * 3_600_000

/** Signs the time at which a form was opened, so that a request proves it opened the form first (docs/product-rules.md#card-testing). */
export function createFormTokens(secrets: Secrets) {
  const write = (openedAt: string) => `${openedAt}.${secrets.sign('form-token', openedAt)}`
  return {
    make: (now: number): string => write(now.toString(36)),
    /** Returns false for a forged token and for one used too soon or too late. */
    isValid(token: string, now: number): boolean {
      const [openedAt = ''] = token.split('.')
      if (!equalSecrets(token, write(openedAt))) return false
      const age = now - Number.parseInt(openedAt, 36)
      return age >= sponsorLimits.formTokenMinAgeMs && age <= LONGEST_MS
    },
  }
}
