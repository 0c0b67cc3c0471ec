import { sql, type Expression, type SqlBool } from 'kysely'
import { engineOf, type Db } from './database.ts'

/** Matches rows of `campaign_search` that contain a prefix of every word; requires at least one word. */
export function matchesWords(db: Db, words: readonly string[]): Expression<SqlBool> {
  if (engineOf(db) === 'sqlite') {
    const query = words.map((word) => `"${word}"*`).join(' ')
    return sql<SqlBool>`campaign_search match ${query}`
  }
  const query = words.map((word) => `${word}:*`).join(' & ')
  return sql<SqlBool>`to_tsvector('simple', words) @@ to_tsquery('simple', ${query})`
}

/** Matches campaigns whose text contains the words. */
export function campaignMatchesWords(db: Db, words: readonly string[]): Expression<SqlBool> {
  const found = sql`select campaign_id from campaign_search where ${matchesWords(db, words)}`
  // The plus makes SQLite use the index on dates, which covers the query: looking up the matching ids would read every newsletter in full, at four times the
  // cost.
  return engineOf(db) === 'sqlite' ? sql<SqlBool>`+campaign.id in (${found})` : sql<SqlBool>`campaign.id in (${found})`
}

/**
 * Matches rows whose columns, joined by spaces, contain the text; A to Z are case-insensitive. Scans every row: only for rarely searched lists. Full case
 * folding on PostgreSQL would cost three times as much and find rows that SQLite does not.
 */
export function containsText(db: Db, columns: readonly string[], text: string): Expression<SqlBool> {
  const wanted = text.replaceAll(/[A-Z]/g, (capital) => capital.toLowerCase())
  const joined = sql.join(
    columns.map((column) => sql.ref(column)),
    sql` || ' ' || `,
  )
  if (engineOf(db) === 'sqlite') {
    const pattern = `%${wanted.replaceAll(/[\\%_]/g, (mark) => `\\${mark}`)}%`
    return sql<SqlBool>`lower(${joined}) like ${pattern} escape '\\'`
  }
  // Faster than LIKE, which compares at every character.
  return sql<SqlBool>`strpos(lower((${joined}) collate "C"), ${wanted}) > 0`
}
