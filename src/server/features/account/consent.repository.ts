import type { Db } from '#server/db/database.ts'
import { newId } from '#server/platform/ids.ts'

/** Writes down what a person agreed to, and when (decision B13). */
export async function recordConsent(
  db: Db,
  consent: { personId: string; kind: 'terms'; version: string; givenAt: number },
  now: number,
): Promise<void> {
  await db
    .insertInto('consent')
    .values({
      id: newId(now),
      person_id: consent.personId,
      kind: consent.kind,
      version: consent.version,
      given_at: consent.givenAt,
    })
    .execute()
}
