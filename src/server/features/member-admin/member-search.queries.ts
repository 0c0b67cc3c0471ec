import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely'
import { setImmediate as turn } from 'node:timers/promises'
import type { Db } from '#server/db/database.ts'
import { foldText } from '#server/db/fold-text.rules.ts'
import { queryInChunks } from '#server/db/chunked-queries.ts'
import { refreshRows } from '#server/features/listed-members/refresh-rows.queries.ts'
import { bestSuggestions, createNameMatcher, type NamedPerson } from './member-search.rules.ts'

/** The searchable text of an account. */
const SOURCE = sql<string>`account.first_name || ' ' || account.last_name || ' ' || account.email || ' ' || account.username`
const ROWS_AT_ONCE = 100
/** Names compared before yielding to the event loop. */
const COMPARED_AT_ONCE = 1_000

/** Writes the search texts of accounts that are new or renamed. */
export async function refreshMemberSearch(db: Db): Promise<void> {
  await refreshRows(db, {
    due: (handle) => handle.selectFrom('accountSearch').select('accountId').where('words', 'is', null),
    atOnce: ROWS_AT_ONCE,
    write: writeSearchTexts,
  })
}

async function writeSearchTexts(tx: Db, ids: string[]): Promise<void> {
  const accounts = await tx
    .selectFrom('account')
    .select(['id', SOURCE.as('source')])
    .where('id', 'in', ids)
    .execute()
  await tx
    .insertInto('accountSearch')
    .values(accounts.map(({ id, source }) => ({ accountId: id, words: foldText(source) })))
    .onConflict((conflict) => conflict.column('accountId').doUpdateSet((eb) => ({ words: eb.ref('excluded.words') })))
    .execute()
}

/** The ids of accounts whose name, address or username contains every word. Call `refreshMemberSearch` first. */
export function accountIdsWith(words: readonly string[]): RawBuilder<string> {
  const each = words.map((word) => {
    const part = `%${foldText(word).replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
    return sql`words like ${part} escape '\\'`
  })
  // Materialized, so that PostgreSQL finds them once: it would look each member up instead, since it expects many to have any text.
  return sql`(with found as materialized (select account_id from account_search where ${sql.join(each, sql` and `)})
    select account_id from found)`
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
