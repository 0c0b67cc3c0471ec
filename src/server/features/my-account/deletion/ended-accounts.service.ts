import type { Db } from '#server/db/database.ts'
import type { EmailPurpose } from '#server/emails/define-email.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'
import { listAccountEndsByEmail } from './deletion.queries.ts'
import { mayEmailEndedAccount } from './ended-accounts.rules.ts'

/** Whether an address still gets emails of this purpose: members whose account officers ended get few, even of those already queued. */
export async function mayEmail(db: Db, address: string, purpose: EmailPurpose): Promise<boolean> {
  const endings = await listAccountEndsByEmail(db, nameKey(address))
  return endings.every((ending) => mayEmailEndedAccount(ending, purpose))
}
