import { sql, type Expression, type SqlBool } from 'kysely'
import { setImmediate as turn } from 'node:timers/promises'
import type { Db } from '#server/db/database.ts'
import { foldText } from '#server/db/fold-text.rules.ts'
import { inBatches } from '#server/db/in-batches.ts'
import { bestSuggestions, nearnessTo, type NamedPerson } from './member-search.rules.ts'

/** What somebody is found by. Compared with what stands beside the words, it tells whether these are still right. */
const SOURCE = sql<string>`account.first_name || ' ' || account.last_name || ' ' || account.email || ' ' || account.username`
const ROWS_AT_ONCE = 100
/** People compared before others get a turn. */
const COMPARED_AT_ONCE = 1_000

/** Brings the words up to date, whoever wrote the accounts: those that are new or have other names now. */
export async function refreshMemberSearch(db: Db): Promise<void> {
  const stale = await db
    .selectFrom('account')
    .leftJoin('account_search', 'account_search.account_id', 'account.id')
    .select(['account.id', SOURCE.as('source')])
    .where((eb) => eb.or([eb('account_search.source', 'is', null), eb('account_search.source', '!=', SOURCE)]))
    .orderBy('account.id')
    .execute()
  const rows = stale.map(({ id, source }) => ({ account_id: id, source, words: foldText(source) }))
  await inBatches(
    rows,
    async (some) => {
      await db
        .insertInto('account_search')
        .values(some)
        .onConflict((conflict) =>
          conflict.column('account_id').doUpdateSet((eb) => ({
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

/** Accounts in whose name, address or username each word is found; whoever asks has refreshed the words. */
export function hasWords(words: readonly string[]): Expression<SqlBool> {
  const each = words.map((word) => {
    const part = `%${foldText(word).replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
    return sql`words like ${part} escape '\\'`
  })
  return sql<SqlBool>`account.id in (select account_id from account_search where ${sql.join(each, sql` and `)})`
}

/** People whose names come near what was typed; for a search that found nobody. */
export async function suggestMembers(db: Db, typed: string): Promise<NamedPerson[]> {
  const nearness = nearnessTo(typed)
  const people = await db
    .selectFrom('account')
    .select(['id', 'first_name as firstName', 'last_name as lastName'])
    .execute()
  const found: { person: NamedPerson; distance: number }[] = []
  for (const [index, person] of people.entries()) {
    if (index > 0 && index % COMPARED_AT_ONCE === 0) await turn()
    const distance = nearness(`${person.firstName} ${person.lastName}`)
    if (distance !== null) found.push({ person, distance })
  }
  return bestSuggestions(found)
}
