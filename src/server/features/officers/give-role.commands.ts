import type { Role } from '#contract/access.ts'
import type { Db } from '#server/db/database.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import { newId } from '#server/platform/ids.ts'
import { addToOutbox } from '#server/platform/outbox.repository.ts'
import { addTerm } from './officer.repository.ts'

/**
 * Gives somebody a role for a term, and a letter with the way in. Call it in a transaction. Resolves with the id of the term.
 * @param givenBy an account's id, or 'webmaster'
 */
export async function giveRole(
  db: Db,
  { givenBy, ...term }: { accountId: string; role: Role; startsOn: string; endsOn: string; givenBy: string },
  now: number,
): Promise<string> {
  const id = newId(now)
  const { accountId, ...after } = term
  await addTerm(db, { ...term, id, givenBy }, now)
  await writeAudit(
    db,
    { actor: givenBy, action: 'role.given', subjectId: accountId, details: { before: null, after } },
    now,
  )
  await addToOutbox(db, { kind: 'letter.role_given', payload: { termId: id }, dedupeKey: `role:${id}` }, now)
  return id
}
