import { sql, type Expression, type SqlBool } from 'kysely'
import { engineOf, type Db } from './database.ts'

/**
 * Rows whose columns, a space between them, hold this text, whether its letters A to Z are small or large. Every row is looked at: for lists that are
 * searched now and then. PostgreSQL would know the small letters of every language, at three times the price, and find what SQLite does not.
 */
export function holdsText(db: Db, columns: readonly string[], text: string): Expression<SqlBool> {
  const pattern = `%${text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()).replaceAll(/[\\%_]/g, (mark) => `\\${mark}`)}%`
  const together = sql.join(
    columns.map((column) => sql.ref(column)),
    sql` || ' ' || `,
  )
  const small = engineOf(db) === 'sqlite' ? sql`lower(${together})` : sql`lower((${together}) collate "C")`
  return sql<SqlBool>`${small} like ${pattern} escape '\\'`
}
