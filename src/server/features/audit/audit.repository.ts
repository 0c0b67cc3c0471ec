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

export interface AuditFilter {
  /** Looked for in people, details and subjects; '' for anything. */
  words: string
  /** Actions whose sentences hold the words. */
  wordActions?: readonly string[]
  person?: string | undefined
  actions?: readonly string[] | undefined
  /** Instants: the first one included, and the first one excluded. */
  from?: number | undefined
  until?: number | undefined
  subjectId?: string
}

/** One page of the audit log, newest first. Ids grow with time, so the last one seen says where the next page begins. */
export async function findAuditPage(
  db: Db,
  filter: AuditFilter,
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<AuditRow[]> {
  const { words, wordActions = [], person, actions, from, until, subjectId } = filter
  // Accounts that match the words are found first: once, and not once for each of a hundred thousand entries.
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
    .$if(actions !== undefined, (query) => query.where('audit.action', 'in', [...(actions ?? [])]))
    .$if(from !== undefined, (query) => query.where('audit.at', '>=', from ?? 0))
    .$if(until !== undefined, (query) => query.where('audit.at', '<', until ?? 0))
    .$if(person !== undefined, (query) =>
      query.where((eb) => eb.or([eb('audit.actor', '=', person ?? ''), eb('audit.subject_id', '=', person ?? '')])),
    )
    .$if(words !== '', (query) =>
      query.where((eb) =>
        eb.or([
          holdsText(db, ['audit.action', 'audit.details', 'audit.subject_id'], words),
          eb('audit.actor', 'in', people),
          eb('audit.subject_id', 'in', people),
          ...(wordActions.length > 0 ? [eb('audit.action', 'in', [...wordActions])] : []),
        ]),
      ),
    )
    .orderBy('audit.id', 'desc')
    .limit(limit)
    .execute()
}

/** Everyone who holds or held a role, by name. */
export async function findOfficersEver(db: Db): Promise<{ id: string; name: string }[]> {
  return db
    .selectFrom('account')
    .select(['account.id', sql<string>`account.first_name || ' ' || account.last_name`.as('name')])
    .where('account.id', 'in', db.selectFrom('officer_term').select('officer_term.account_id'))
    .orderBy('account.last_name')
    .orderBy('account.first_name')
    .execute()
}
