import type { Secrets } from '#server/platform/secrets.ts'
import { nameKey } from '../account/account.repository.ts'

/** How the suppression list knows an address: keyed, so that the list tells nobody who is on it (docs/product-rules.md#suppression). */
export function addressHash(secrets: Secrets, email: string): string {
  return secrets.sign('address-hash', nameKey(email))
}
