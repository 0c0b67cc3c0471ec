import type { Db } from '#server/db/database.ts'
import { newId } from '#server/lib/ids.ts'

/** Records what a person agreed to, and when (docs/product-rules.md#legal-pages-have-versions). */
export async function recordConsent(
  db: Db,
  consent: { personId: string; kind: 'terms'; version: string; givenAt: number },
  now: number,
): Promise<void> {
  await db
    .insertInto('consent')
    .values({
      id: newId(now),
      personId: consent.personId,
      kind: consent.kind,
      version: consent.version,
      givenAt: consent.givenAt,
    })
    .execute()
}
