import Sqlite from 'better-sqlite3'

/** What is known of a copied database. */
export interface SqliteFacts {
  /** `ok`, or what the integrity check found. */
  integrity: string
  migrations: string[]
  /** Rows of each table. */
  tables: Record<string, number>
}

/** Reads a whole database that nobody else has open, and leaves it one file, without a log beside it. */
export function inspectSqlite(path: string): SqliteFacts {
  const file = new Sqlite(path, { fileMustExist: true })
  try {
    file.pragma('journal_mode = delete')
    const names = file
      .prepare<[], { name: string }>(
        `select name from pragma_table_list
         where schema = 'main' and type in ('table', 'virtual') and name not like 'sqlite\\_%' escape '\\' order by name`,
      )
      .all()
    const count = (name: string) =>
      file.prepare<[], { count: number }>(`select count(*) as count from "${name}"`).get()?.count ?? 0
    return {
      integrity: String(file.pragma('integrity_check', { simple: true })),
      migrations: file
        .prepare<[], { name: string }>('select name from migration order by name')
        .all()
        .map(({ name }) => name),
      tables: Object.fromEntries(names.map(({ name }) => [name, count(name)])),
    }
  } finally {
    file.close()
  }
}
