import type { AuditAction } from './audit-actions.rules.ts'
import type { Db } from '#server/db/database.ts'
import { newId } from '#server/lib/ids.ts'

/** Adds an audit log entry. `actor` is an account id, 'stripe', 'system' or 'webmaster'. */
export async function writeAudit(
  db: Db,
  entry: { actor: string; action: AuditAction; subjectId: string; details?: Record<string, unknown> },
  now: number,
): Promise<void> {
  await db
    .insertInto('audit')
    .values({
      id: newId(now),
      at: now,
      actor: entry.actor,
      action: entry.action,
      subjectId: entry.subjectId,
      details: JSON.stringify(entry.details ?? {}),
    })
    .execute()
}

export async function isAudited(
  db: Db,
  { action, subjectId }: { action: AuditAction; subjectId: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('audit')
    .select('id')
    .where('subjectId', '=', subjectId)
    .where('action', '=', action)
    .executeTakeFirst()
  return row !== undefined
}
