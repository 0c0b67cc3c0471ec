import { sql, type Expression, type SqlBool } from 'kysely'
import type { RecordAudience, StoredRecordField } from '#contract/member-record/record-fields.ts'
import type { Db } from '#server/db/database.ts'
import { queryInChunks } from '#server/db/chunked-queries.ts'
import { isNewest } from '#server/features/credentials/credential.queries.ts'
import { filterWord, lookupsOf, wordsMeant } from '#server/features/member-record/directory-words.rules.ts'
import { stateOf, type StatusContext } from '#server/features/memberships/membership-state.queries.ts'

/** Someone whose entry is shown now. */
export interface DirectoryPerson {
  /** Of the entry. */
  id: string
  accountId: string
  firstName: string
  lastName: string
  levelKey: string
  takesMessages: number
  sortName: string
}

/** Which directory, at which moment. */
export type Directory = StatusContext &
  (
    | { kind: 'members' }
    /**
     * `needsCredentials`: the association verifies credentials, and only people with current ones are shown. Those approved or confirmed after
     * `creditedAfter` count as current; null: they stay current.
     */
    | { kind: 'public'; needsCredentials: boolean; creditedAfter: number | null; today: string }
  )

export interface DirectorySearch {
  words: readonly string[]
  /** Words that are shown to the searcher besides those in use. */
  otherWords?: readonly string[]
  /** Each field has to have the value. */
  filters: readonly { fieldKey: string; value: string }[]
}

const AUDIENCES: Record<Directory['kind'], readonly RecordAudience[]> = {
  members: ['members', 'everyone'],
  public: ['everyone'],
}

/** The columns of a person. */
const PERSON = [
  'directoryListing.id',
  'directoryListing.accountId',
  'firstName',
  'lastName',
  'levelKey',
  'directoryListing.takesMessages',
  'directoryListing.sortName',
] as const

/**
 * People whose entries are shown now, by name. Everything that decides it is read here, at each call: the choice, the account, the membership, the credentials, and
 * the audience of the values that are sought, with what their fields allow now.
 * @param fields those whose values the directory may show
 */
export async function listPeople(
  db: Db,
  directory: Directory,
  search: DirectorySearch & { fields: readonly Pick<StoredRecordField, 'key' | 'levels'>[] },
  { limit, offset }: { limit: number; offset: number },
): Promise<DirectoryPerson[]> {
  const conditions = await conditionsOf(db, directory, search)
  if (conditions === null) return []
  let query = shown(db, directory)
  for (const condition of conditions) query = query.where(condition)
  return query
    .select(PERSON)
    .orderBy('directoryListing.sortName')
    .orderBy('directoryListing.id')
    .limit(limit)
    .offset(offset)
    .execute()
}

/** A person by the id of the entry or the account; null if the entry is not shown now. */
export async function findPerson(
  db: Db,
  directory: Directory,
  by: { id: string } | { accountId: string },
): Promise<DirectoryPerson | null> {
  const query = shown(db, directory)
  const found = await (
    'id' in by
      ? query.where('directoryListing.id', '=', by.id)
      : query.where('directoryListing.accountId', '=', by.accountId)
  )
    .select(PERSON)
    .executeTakeFirst()
  return found ?? null
}

export async function isAnyoneListed(db: Db, directory: Directory): Promise<boolean> {
  return (await shown(db, directory).select('directoryListing.id').limit(1).executeTakeFirst()) !== undefined
}

/** Whether an account has an active membership: it may use the directory. */
export async function hasActiveMembership(db: Db, moment: StatusContext, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('account')
    .innerJoin('membership', (join) =>
      join.onRef('membership.accountId', '=', 'account.id').on('membership.isCurrent', '=', 1),
    )
    .select('account.id')
    .where('account.id', '=', accountId)
    .where(sql<boolean>`${stateOf(moment)} = 'ACTIVE'`)
    .executeTakeFirst()
  return row !== undefined
}

function shown(db: Db, directory: Directory) {
  let query = db
    .selectFrom('directoryListing')
    .innerJoin('account', 'account.id', 'directoryListing.accountId')
    .innerJoin('membership', (join) =>
      join.onRef('membership.accountId', '=', 'account.id').on('membership.isCurrent', '=', 1),
    )
    .where(directory.kind === 'members' ? 'directoryListing.inMembers' : 'directoryListing.inPublic', '=', 1)
    // Written so that PostgreSQL expects most people to be active, and reads them in the order of their names until the page is full.
    .where(sql<boolean>`case when ${stateOf(directory)} = 'ACTIVE' then 1 else 0 end <> 0`)
  if (directory.kind === 'public' && directory.needsCredentials) {
    const { creditedAfter, today } = directory
    query = query.where((eb) =>
      eb.exists(
        eb
          .selectFrom('credential')
          .select('credential.id')
          .whereRef('credential.accountId', '=', 'account.id')
          .where('status', '=', 'approved')
          .where(isNewest)
          .where((e) => e.or([e('endsOn', 'is', null), e('endsOn', '>=', today)]))
          .where((e) =>
            creditedAfter === null ? e.val(true) : e(sql`coalesce(counted_from, decided_at)`, '>', creditedAfter),
          ),
      ),
    )
  }
  return query
}

/** null: nothing can match. */
async function conditionsOf(
  db: Db,
  { kind }: Directory,
  {
    words,
    otherWords = [],
    filters,
    fields,
  }: DirectorySearch & { fields: readonly Pick<StoredRecordField, 'key' | 'levels'>[] },
): Promise<Expression<SqlBool>[] | null> {
  const conditions: Expression<SqlBool>[] = []
  for (const sought of words) {
    const known = await similarWords(db, sought, otherWords)
    if (known.length === 0) return null
    conditions.push(hasWord(kind, known, fields, { withNames: true }))
  }
  for (const { fieldKey, value } of filters) {
    const field = fields.find(({ key }) => key === fieldKey)
    if (!field) return null
    conditions.push(hasWord(kind, [filterWord(value)], [field], { withNames: false }))
  }
  return conditions
}

/** The words in use, and others, that a sought word means. */
export async function similarWords(db: Db, sought: string, others: readonly string[]): Promise<string[]> {
  const rows = await queryInChunks(lookupsOf(sought), (some) =>
    db.selectFrom('directorySpelling').select('word').distinct().where('spelling', 'in', some).execute(),
  )
  return wordsMeant(sought, [...new Set([...rows.map(({ word }) => word), ...others])])
}

/** Whether a person has one of the words in the name, or in a value that this directory shows now. */
function hasWord(
  kind: Directory['kind'],
  words: readonly string[],
  fields: readonly Pick<StoredRecordField, 'key' | 'levels'>[],
  { withNames }: { withNames: boolean },
): Expression<SqlBool> {
  const shownFields = fields.map(({ key, levels }) =>
    levels.length === 0
      ? sql<boolean>`directory_word.field_key = ${key}`
      : sql<boolean>`(directory_word.field_key = ${key} and exists (
          select 1 from membership as current where current.account_id = directory_word.account_id
          and current.is_current = 1 and current.level_key in (${sql.join(levels)})))`,
  )
  // Materialized, and each value looked up, so that either engine starts with the words: SQLite would look all values up in a long list of words, PostgreSQL read all values.
  const inValue = sql`select value_word.account_id from (with value_word as materialized (
      select directory_word.account_id, directory_word.field_key from directory_word
      where directory_word.word in (${sql.join(words)}) and (${sql.join(shownFields, sql` or `)}))
    select value_word.account_id from value_word
    where (select record_value.audience from record_value where record_value.account_id = value_word.account_id
      and record_value.field_key = value_word.field_key) in (${sql.join(AUDIENCES[kind])})) as value_word`
  const inName = sql`select directory_word.account_id from directory_word
    where directory_word.word in (${sql.join(words)}) and directory_word.field_key = ''`
  const found = [...(withNames ? [inName] : []), ...(fields.length > 0 ? [inValue] : [])]
  // As a value, not as a condition: PostgreSQL finds them once and looks each person up among them. As a condition it may find them again for each.
  return found.length === 0
    ? sql<SqlBool>`1 = 0`
    : sql<SqlBool>`case when directory_listing.account_id in (${sql.join(found, sql` union all `)}) then 1 else 0 end = 1`
}
