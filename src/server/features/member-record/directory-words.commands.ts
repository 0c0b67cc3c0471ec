import type { Db } from '#server/db/database.ts'
import { queryInChunks } from '#server/db/chunked-queries.ts'
import { spellingsOf, wordsOf, wordsOfValue } from './directory-words.rules.ts'
import { listEntries } from './record-value.queries.ts'

const ROWS_AT_ONCE = 500

/** Last and first name as the directory sorts them. */
export function sortNameOf({ firstName, lastName }: { firstName: string; lastName: string }): string {
  return [...wordsOf(lastName), '', ...wordsOf(firstName)].join(' ')
}

/**
 * Makes the directory find a person by the name and the values of now. A no-op for a person who is not listed.
 * Call it in each transaction that changes one of them.
 */
export async function refreshDirectoryWords(db: Db, accountId: string): Promise<void> {
  const listing = await db
    .selectFrom('directoryListing')
    .innerJoin('account', 'account.id', 'directoryListing.accountId')
    .select(['inMembers', 'inPublic', 'sortName', 'firstName', 'lastName'])
    .where('accountId', '=', accountId)
    .executeTakeFirst()
  if (!listing) return
  const isListed = listing.inMembers === 1 || listing.inPublic === 1
  const rows = isListed ? await rowsOf(db, accountId, listing) : []
  await replaceWords(db, accountId, rows)
  const sortName = sortNameOf(listing)
  if (sortName !== listing.sortName)
    await db.updateTable('directoryListing').set({ sortName }).where('accountId', '=', accountId).execute()
}

/** Deletes what the directory knows about a person: the choice, the words and the messages. */
export async function deleteFromDirectory(db: Db, accountId: string): Promise<void> {
  await replaceWords(db, accountId, [])
  await db.deleteFrom('directoryListing').where('accountId', '=', accountId).execute()
  await db
    .deleteFrom('directoryMessage')
    .where((eb) => eb.or([eb('fromAccountId', '=', accountId), eb('toAccountId', '=', accountId)]))
    .execute()
}

interface WordRow {
  word: string
  accountId: string
  fieldKey: string
}

async function rowsOf(
  db: Db,
  accountId: string,
  { firstName, lastName }: { firstName: string; lastName: string },
): Promise<WordRow[]> {
  const entries = await listEntries(db, accountId)
  return [
    ...wordsOf(`${firstName} ${lastName}`).map((word) => ({ word, accountId, fieldKey: '' })),
    ...entries
      .filter(({ audience }) => audience === 'members' || audience === 'everyone')
      .flatMap(({ fieldKey, value }) => wordsOfValue(value).map((word) => ({ word, accountId, fieldKey }))),
  ]
}

async function replaceWords(db: Db, accountId: string, rows: readonly WordRow[]): Promise<void> {
  const before = await db.selectFrom('directoryWord').select('word').where('accountId', '=', accountId).execute()
  await db.deleteFrom('directoryWord').where('accountId', '=', accountId).execute()
  await insertWords(db, rows)
  const now = new Set(rows.map(({ word }) => word))
  const gone = [...new Set(before.map(({ word }) => word))].filter((word) => !now.has(word))
  if (gone.length === 0) return
  // A word that no one has any more may be a name: it does not stay.
  await db
    .deleteFrom('directorySpelling')
    .where('word', 'in', gone)
    .where('word', 'not in', (eb) => eb.selectFrom('directoryWord').select('word').where('word', 'in', gone))
    .execute()
}

async function insertWords(db: Db, rows: readonly WordRow[]): Promise<void> {
  await queryInChunks(
    rows,
    async (some) => {
      await db.insertInto('directoryWord').values(some).execute()
      return []
    },
    ROWS_AT_ONCE,
  )
  const words = [...new Set(rows.map(({ word }) => word))].filter((word) => !word.startsWith('='))
  // Sorted, so that two transactions insert the same rows in the same order.
  const spellings = words.toSorted().flatMap((word) => spellingsOf(word).map((spelling) => ({ spelling, word })))
  await queryInChunks(
    spellings,
    async (some) => {
      await db
        .insertInto('directorySpelling')
        .values(some)
        .onConflict((conflict) => conflict.columns(['spelling', 'word']).doNothing())
        .execute()
      return []
    },
    ROWS_AT_ONCE,
  )
}
