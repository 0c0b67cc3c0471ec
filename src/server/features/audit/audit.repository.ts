import { expressionBuilder, sql, type Expression, type SqlBool } from 'kysely'
import type { Db } from '#server/db/database.ts'
import { containsText } from '#server/db/full-text.ts'
import type { AuditTable, Schema } from '#server/db/schema/schema.ts'
import type { NamedSubjects } from './audit-subjects.repository.ts'

export type AuditRow = AuditTable & {
  /** null: not a person, or a deleted account. */
  actorName: string | null
  subjectName: string | null
}

export interface AuditFilter {
  /** Search term for people, details and subjects; '' for no filter. */
  searchTerm: string
  /** Actions whose names or sentences contain the search term. */
  matchingActions?: readonly string[]
  /** Subjects whose names contain the search term, other than people. */
  matchingSubjects?: NamedSubjects
  person?: string | undefined
  actions?: readonly string[] | undefined
  /** `from` is inclusive, `until` exclusive. */
  from?: number | undefined
  until?: number | undefined
  subjectId?: string
  ids?: readonly string[]
}

/**
 * Returns one page of the audit log, newest first. Ids grow with time, so the last id of a page is the cursor of the
 * next.
 */
export async function findAuditPage(
  db: Db,
  filter: AuditFilter,
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<AuditRow[]> {
  const { searchTerm, matchingActions = [], matchingSubjects, person, actions, from, until, subjectId, ids } = filter
  const people = (one: Pick<Db, 'selectFrom'>) =>
    one
      .selectFrom('account')
      .select('account.id')
      .where(containsText(db, ['firstName', 'lastName', 'emailKey'], searchTerm))
  // Most words are in no name: then a hundred thousand entries need not be compared with people.
  const hasPeople = searchTerm !== '' && (await people(db).limit(1).executeTakeFirst()) !== undefined
  return db
    .with(
      // Read once, not once for actors and once for subjects.
      (cte) => cte('people').materialized(),
      people,
    )
    .selectFrom('audit')
    .leftJoin('account as actor', 'actor.id', 'audit.actor')
    .leftJoin('account as subject', 'subject.id', 'audit.subjectId')
    .selectAll('audit')
    .select([
      sql<string | null>`actor.first_name || ' ' || actor.last_name`.as('actorName'),
      sql<string | null>`subject.first_name || ' ' || subject.last_name`.as('subjectName'),
    ])
    .$if(before !== undefined, (query) => query.where('audit.id', '<', before ?? ''))
    .$if(subjectId !== undefined, (query) => query.where('audit.subjectId', '=', subjectId ?? ''))
    .$if(ids !== undefined, (query) => query.where('audit.id', 'in', [...(ids ?? [])]))
    .$if(actions !== undefined, (query) => query.where('audit.action', 'in', [...(actions ?? [])]))
    .$if(from !== undefined, (query) => query.where('audit.at', '>=', from ?? 0))
    .$if(until !== undefined, (query) => query.where('audit.at', '<', until ?? 0))
    .$if(person !== undefined, (query) =>
      // One index after the other: with either of both, PostgreSQL reads the whole log from its end.
      query.where('audit.id', 'in', (eb) =>
        eb
          .selectFrom('audit as acted')
          .select('acted.id')
          .where('acted.actor', '=', person ?? '')
          .union(
            eb
              .selectFrom('audit as about')
              .select('about.id')
              .where('about.subjectId', '=', person ?? ''),
          ),
      ),
    )
    .$if(searchTerm !== '', (query) =>
      query.where((eb) =>
        eb.or([
          containsText(db, ['audit.details', 'audit.subjectId'], searchTerm),
          ...(hasPeople
            ? [
                eb('audit.actor', 'in', eb.selectFrom('people').select('people.id')),
                eb('audit.subjectId', 'in', eb.selectFrom('people').select('people.id')),
              ]
            : []),
          ...(matchingActions.length > 0 ? [eb('audit.action', 'in', [...matchingActions])] : []),
          ...(matchingSubjects ? isAbout(db, matchingSubjects) : []),
        ]),
      ),
    )
    .orderBy('audit.id', 'desc')
    .limit(limit)
    .execute()
}

/** Conditions for entries about these subjects. None refers to the entry, so each is read once. */
function isAbout(db: Db, { ids, eventIds }: NamedSubjects): Expression<SqlBool>[] {
  const eb = expressionBuilder<Schema, 'audit'>()
  const ofEvents = (table: 'rsvp' | 'rsvpOrder') =>
    eb(
      'audit.subjectId',
      'in',
      db
        .selectFrom(table)
        .select('id')
        .where('eventId', 'in', [...eventIds]),
    )
  const all = [...ids, ...eventIds]
  return [
    ...(all.length > 0 ? [eb('audit.subjectId', 'in', all)] : []),
    ...(eventIds.length > 0 ? [ofEvents('rsvp'), ofEvents('rsvpOrder')] : []),
  ]
}

/** Returns everyone who holds or has held a role, by name. */
export async function listCurrentAndFormerOfficers(db: Db): Promise<{ id: string; name: string }[]> {
  return db
    .selectFrom('account')
    .select(['account.id', sql<string>`account.first_name || ' ' || account.last_name`.as('name')])
    .where('account.id', 'in', db.selectFrom('officerTerm').select('officerTerm.accountId'))
    .orderBy('account.lastName')
    .orderBy('account.firstName')
    .execute()
}
