import { sql, type Expression, type SqlBool } from 'kysely'
import { setImmediate as turn } from 'node:timers/promises'
import type { Db } from '#server/db/database.ts'
import { foldText } from '#server/db/fold-text.rules.ts'
import { queryInChunks } from '#server/db/chunked-queries.ts'
import { bestSuggestions, createNameMatcher, type NamedPerson } from './member-search.rules.ts'

/** The searchable text of an account. Comparing it with the stored `source` shows whether the index row is stale. */
const SOURCE = sql<string>`account.first_name || ' ' || account.last_name || ' ' || account.email || ' ' || account.username`
const ROWS_AT_ONCE = 100
/** Names compared before yielding to the event loop. */
const COMPARED_AT_ONCE = 1_000

/** Updates the search index for accounts that are new or renamed. */
export async function refreshMemberSearch(db: Db): Promise<void> {
  const stale = await db
    .selectFrom('account')
    .leftJoin('accountSearch', 'accountSearch.accountId', 'account.id')
    .select(['account.id', SOURCE.as('source')])
    .where((eb) => eb.or([eb('accountSearch.source', 'is', null), eb('accountSearch.source', '!=', SOURCE)]))
    .orderBy('account.id')
    .execute()
  const rows = stale.map(({ id, source }) => ({ accountId: id, source, words: foldText(source) }))
  await queryInChunks(
    rows,
    async (some) => {
      await db
        .insertInto('accountSearch')
        .values(some)
        .onConflict((conflict) =>
          conflict.column('accountId').doUpdateSet((eb) => ({
            source: eb.ref('excluded.source'),
            words: eb.ref('excluded.words'),
          })),
        )
        .execute()
      return []
    },
    ROWS_AT_ONCE,
  )
}

/** Matches accounts whose name, address or username contains every word. Call `refreshMemberSearch` first. */
export function matchesSearchTerms(words: readonly string[]): Expression<SqlBool> {
  const each = words.map((word) => {
    const part = `%${foldText(word).replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
    return sql`words like ${part} escape '\\'`
  })
  return sql<SqlBool>`account.id in (select account_id from account_search where ${sql.join(each, sql` and `)})`
}

/** Members with similar names, for a search without results. */
export async function suggestMembers(db: Db, typed: string): Promise<NamedPerson[]> {
  const nearness = createNameMatcher(typed)
  const people = await db.selectFrom('account').select(['id', 'firstName', 'lastName']).execute()
  const found: { person: NamedPerson; distance: number }[] = []
  for (const [index, person] of people.entries()) {
    if (index > 0 && index % COMPARED_AT_ONCE === 0) await turn()
    const distance = nearness(`${person.firstName} ${person.lastName}`)
    if (distance !== null) found.push({ person, distance })
  }
  return bestSuggestions(found)
}
