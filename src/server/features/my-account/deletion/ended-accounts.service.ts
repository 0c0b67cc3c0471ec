import type { Db } from '#server/db/database.ts'
import type { OutgoingEmail } from '#server/emails/email.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'
import { listAccountEndsByEmail } from './deletion.queries.ts'
import { mayEmailEndedAccount } from './ended-accounts.rules.ts'

type Compose = (payload: Record<string, unknown>) => Promise<OutgoingEmail | null>

/** Wraps email composers: withholds emails, including those already queued, to members whose account officers ended. */
export function withholdEmailsFromEndedAccounts(db: Db, composers: Record<string, Compose>): Record<string, Compose> {
  return Object.fromEntries(
    Object.entries(composers).map(([kind, compose]) => [
      kind,
      async (payload) => {
        const email = await compose(payload)
        if (!email) return null
        const endings = await listAccountEndsByEmail(db, nameKey(email.to))
        return endings.every((ending) => mayEmailEndedAccount(ending, kind, payload)) ? email : null
      },
    ]),
  )
}
