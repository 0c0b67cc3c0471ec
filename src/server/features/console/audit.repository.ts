import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'

export interface AuditRow {
  id: string
  at: number
  actor: string
  /** null: not a person, or one that is gone. */
  actorName: string | null
  action: string
  subjectId: string
  subjectName: string | null
  /** JSON. */
  details: string
}

/** One page of the history, newest first. Ids grow with time, so the last one seen says where the next page begins. */
export async function findAuditPage(
  db: Db,
  {
    words,
    before,
    limit,
    subjectId,
  }: { words: string; before?: string | undefined; limit: number; subjectId?: string },
): Promise<AuditRow[]> {
  const pattern = `%${words.toLowerCase().replaceAll(/[\\%_]/g, (character) => `\\${character}`)}%`
  const like = (column: string) => sql<boolean>`lower(${sql.ref(column)}) like ${pattern} escape '\\'`
  return db
    .selectFrom('audit')
    .leftJoin('account as actor', 'actor.id', 'audit.actor')
    .leftJoin('account as subject', 'subject.id', 'audit.subject_id')
    .select([
      'audit.id',
      'audit.at',
      'audit.actor as actor',
      'audit.action',
      'audit.subject_id as subjectId',
      'audit.details',
      sql<string | null>`actor.first_name || ' ' || actor.last_name`.as('actorName'),
      sql<string | null>`subject.first_name || ' ' || subject.last_name`.as('subjectName'),
    ])
    .$if(before !== undefined, (query) => query.where('audit.id', '<', before ?? ''))
    .$if(subjectId !== undefined, (query) => query.where('audit.subject_id', '=', subjectId ?? ''))
    .$if(words !== '', (query) =>
      query.where((eb) =>
        eb.or(
          [
            'audit.action',
            'audit.details',
            'audit.subject_id',
            'actor.last_name',
            'actor.email_key',
            'subject.last_name',
            'subject.first_name',
            'subject.email_key',
          ].map(like),
        ),
      ),
    )
    .orderBy('audit.id', 'desc')
    .limit(limit)
    .execute()
}
