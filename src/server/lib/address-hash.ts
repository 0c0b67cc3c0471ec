import type { Secrets } from './secrets.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'

/** A keyed hash, so that the suppression list does not reveal the addresses on it (docs/product-rules.md#suppression). */
export function addressHash(secrets: Secrets, email: string): string {
  return secrets.sign('address-hash', nameKey(email))
}
