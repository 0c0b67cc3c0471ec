import { sql, type Expression, type SqlBool } from 'kysely'
import { engineOf, type Db } from './database.ts'

const MARKS = /\p{M}+/gu
const NO_WORD = /[^\p{L}\p{N}]+/gu
const LONGEST_WORD = 60

/** Small letters and digits without accents, a space between words: what is indexed and what is looked for, so that both engines find the same. */
export function wordsOf(text: string): string[] {
  return text
    .normalize('NFKD')
    .replace(MARKS, '')
    .toLowerCase()
    .split(NO_WORD)
    .filter((word) => word !== '')
    .map((word) => word.slice(0, LONGEST_WORD))
}

/** Rows of `campaign_search` that hold a beginning of every word; call it with at least one. */
export function matchesWords(db: Db, words: readonly string[]): Expression<SqlBool> {
  if (engineOf(db) === 'sqlite') {
    const query = words.map((word) => `"${word}"*`).join(' ')
    return sql<SqlBool>`campaign_search match ${query}`
  }
  const query = words.map((word) => `${word}:*`).join(' & ')
  return sql<SqlBool>`to_tsvector('simple', words) @@ to_tsquery('simple', ${query})`
}

/** Campaigns whose words match. */
export function holdsWords(db: Db, words: readonly string[]): Expression<SqlBool> {
  const found = sql`select campaign_id from campaign_search where ${matchesWords(db, words)}`
  // The plus keeps SQLite on the index of days, which says all that is asked: by the ids found it would read each letter whole, at four times the price.
  return engineOf(db) === 'sqlite' ? sql<SqlBool>`+campaign.id in (${found})` : sql<SqlBool>`campaign.id in (${found})`
}
