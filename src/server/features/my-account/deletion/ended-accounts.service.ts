import type { Db } from '#server/db/database.ts'
import type { EmailPurpose } from '#server/emails/define-email.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'
import { isAddressOfDeceased } from '#server/features/person-state/person-state.queries.ts'
import { listAccountEndsByEmail } from './deletion.queries.ts'
import { mayEmailEndedAccount } from './ended-accounts.rules.ts'

/**
 * Whether an address still gets emails of this purpose, even of those already queued: a person of whom officers recorded the death gets none of any
 * kind, and members whose account officers ended get few. Every email of the outbox passes here.
 */
export async function mayEmail(db: Db, address: string, purpose: EmailPurpose): Promise<boolean> {
  if (await isAddressOfDeceased(db, nameKey(address))) return false
  const endings = await listAccountEndsByEmail(db, nameKey(address))
  return endings.every((ending) => mayEmailEndedAccount(ending, purpose))
}
