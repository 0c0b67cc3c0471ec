import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely'
import { setImmediate as turn } from 'node:timers/promises'
import { engineOf, type Db } from '#server/db/database.ts'
import { foldText } from '#server/db/fold-text.rules.ts'
import { queryInChunks } from '#server/db/chunked-queries.ts'
import { bestSuggestions, createNameMatcher, type NamedPerson } from './member-search.rules.ts'

/** The searchable text of an account. */
const SOURCE = sql<string>`account.first_name || ' ' || account.last_name || ' ' || account.email || ' ' || account.username`
const ROWS_AT_ONCE = 100
/** Names compared before yielding to the event loop. */
const COMPARED_AT_ONCE = 1_000

/** Updates the search index for accounts that are new or renamed: the database removes the text of a renamed account. */
export async function refreshMemberSearch(db: Db): Promise<void> {
  const { accounts, searchable } = await db
    .selectNoFrom((eb) => [
      eb.selectFrom('account').select(eb.fn.countAll<number | string>().as('count')).as('accounts'),
      eb.selectFrom('accountSearch').select(eb.fn.countAll<number | string>().as('count')).as('searchable'),
    ])
    .executeTakeFirstOrThrow()
  // Each text belongs to an account, so equal numbers tell that none is missing.
  if (Number(accounts) === Number(searchable)) return
  const missing = await db
    .selectFrom('account')
    .select('id')
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('accountSearch').select('accountId').whereRef('accountId', '=', 'account.id'))),
    )
    .orderBy('id')
    .execute()
  await queryInChunks(
    missing.map(({ id }) => id),
    async (ids) => {
      await (db.isTransaction ? addSearchTexts(db, ids) : db.transaction().execute((tx) => addSearchTexts(tx, ids)))
      return []
    },
    ROWS_AT_ONCE,
  )
}

async function addSearchTexts(tx: Db, ids: readonly string[]): Promise<void> {
  let query = tx
    .selectFrom('account')
    .select(['id', SOURCE.as('source')])
    .where('id', 'in', ids)
    .orderBy('id')
  // A change of a name waits until its old text is there to be removed.
  if (engineOf(tx) === 'postgres') query = query.forShare()
  const rows = (await query.execute()).map(({ id, source }) => ({ accountId: id, words: foldText(source) }))
  if (rows.length === 0) return
  await tx
    .insertInto('accountSearch')
    .values(rows)
    .onConflict((conflict) => conflict.column('accountId').doNothing())
    .execute()
}

/** The ids of accounts whose name, address or username contains every word. Call `refreshMemberSearch` first. */
export function accountIdsWith(words: readonly string[]): RawBuilder<string> {
  const each = words.map((word) => {
    const part = `%${foldText(word).replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
    return sql`words like ${part} escape '\\'`
  })
  return sql`(select account_id from account_search where ${sql.join(each, sql` and `)})`
}

/** Whether a `listed` member is among `accountIdsWith`. */
export function matchesSearchTerms(words: readonly string[]): Expression<SqlBool> {
  return sql<SqlBool>`listed.account_id in ${accountIdsWith(words)}`
}

/** Members with similar names, for a search without results. Reads the different names first: far fewer than members. */
export async function suggestMembers(db: Db, typed: string): Promise<NamedPerson[]> {
  const matcher = createNameMatcher(typed)
  const people = new Map<string, NamedPerson>()
  for (const column of [sql<string>`lower(last_name)`, sql<string>`lower(first_name)`]) {
    const near: string[] = []
    const names = await db.selectFrom('account').select(column.as('name')).distinct().execute()
    for (const [index, { name }] of names.entries()) {
      if (index > 0 && index % COMPARED_AT_ONCE === 0) await turn()
      if (matcher.isNear(name)) near.push(name)
    }
    const found = await queryInChunks(near, (some) =>
      db.selectFrom('account').select(['id', 'firstName', 'lastName']).where(column, 'in', some).execute(),
    )
    for (const person of found) people.set(person.id, person)
  }
  return bestSuggestions(
    [...people.values()].flatMap((person) => {
      const distance = matcher.distanceTo(`${person.firstName} ${person.lastName}`)
      return distance === null ? [] : [{ person, distance }]
    }),
  )
}
