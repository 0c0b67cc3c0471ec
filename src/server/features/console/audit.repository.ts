import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import { holdsText } from '#server/db/held-text.ts'

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
  // Who the words may mean is found among the people first: beside a hundred thousand entries, not once for each.
  const people = db
    .selectFrom('account')
    .select('id')
    .where(holdsText(db, ['first_name', 'last_name', 'email_key'], words))
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
        eb.or([
          holdsText(db, ['audit.action', 'audit.details', 'audit.subject_id'], words),
          eb('audit.actor', 'in', people),
          eb('audit.subject_id', 'in', people),
        ]),
      ),
    )
    .orderBy('audit.id', 'desc')
    .limit(limit)
    .execute()
}
