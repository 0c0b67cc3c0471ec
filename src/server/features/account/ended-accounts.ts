import type { Db } from '#server/db/database.ts'
import type { OutgoingLetter } from '#server/mail/letter.ts'
import { nameKey } from './account.repository.ts'
import { listEndsAt } from './deletion.repository.ts'
import { mayWriteAfter } from './ended-accounts.rules.ts'

type Compose = (payload: Record<string, unknown>) => Promise<OutgoingLetter | null>

/** Keeps back emails that were queued, or are caused later, for somebody whose account officers ended. */
export function withholdFromEnded(db: Db, letters: Record<string, Compose>): Record<string, Compose> {
  return Object.fromEntries(
    Object.entries(letters).map(([kind, compose]) => [
      kind,
      async (payload) => {
        const letter = await compose(payload)
        if (!letter) return null
        const endings = await listEndsAt(db, nameKey(letter.to))
        return endings.every((ending) => mayWriteAfter(ending, kind, payload)) ? letter : null
      },
    ]),
  )
}
