import type { Role } from '#contract/access.ts'
import type { Db } from '#server/db/database.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { newId } from '#server/lib/ids.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { addTerm } from './officer.commands.ts'
import { sendRoleGiven } from './officer.emails.ts'

/**
 * Assigns a role for a term and queues the email about it. Call it in a transaction. Returns the id of the term.
 * @param grantedBy an account id, or 'webmaster'
 */
export async function assignRole(
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
  await addToOutbox(db, { effect: sendRoleGiven, payload: { termId: id }, dedupeKey: `role:${id}` }, now)
  return id
}
