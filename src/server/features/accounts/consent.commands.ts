import type { Db } from '#server/db/database.ts'
import { newId } from '#server/platform/ids.ts'

/** Writes down what a person agreed to, and when (docs/product-rules.md#legal-pages-have-versions). */
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

/** Oldest first. */
export async function listConsents(
  db: Db,
  personId: string,
): Promise<{ kind: string; version: string; givenAt: number }[]> {
  return db
    .selectFrom('consent')
    .select(['kind', 'version', 'given_at as givenAt'])
    .where('person_id', '=', personId)
    .orderBy('given_at')
    .execute()
}
