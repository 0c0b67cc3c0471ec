import { sponsorLimits } from '#contract/sponsors.ts'
import { equalSecrets, type Secrets } from '#server/platform/secrets.ts'

/** Says when a form was opened, signed; whoever sends it back opened the form first (docs/product-rules.md#card-testing). */
export interface FormTokens {
  make(now: number): string
  /** False for one of another's making, used too soon or too late. */
  isValid(token: string, now: number): boolean
}

/** As long as somebody may leave the form open. */
const LONGEST_MS = 4 * 3_600_000

export function createFormTokens(secrets: Secrets): FormTokens {
  const write = (openedAt: string) => `${openedAt}.${secrets.sign('form-token', openedAt)}`
  return {
    make: (now) => write(now.toString(36)),
    isValid(token, now) {
      const [openedAt = ''] = token.split('.')
      if (!equalSecrets(token, write(openedAt))) return false
      const age = now - Number.parseInt(openedAt, 36)
      return age >= sponsorLimits.formTokenMinAgeMs && age <= LONGEST_MS
    },
  }
}
