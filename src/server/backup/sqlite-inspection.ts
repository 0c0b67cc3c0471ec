import Sqlite from 'better-sqlite3'

/** Results of inspecting a copied database. */
export interface SqliteInspection {
  /** `ok`, or the findings of the integrity check. */
  integrity: string
  migrations: string[]
  /** Row count per table. */
  tables: Record<string, number>
}

/** Reads a database that no other process has open, and leaves it as a single file without a write-ahead log. */
export function inspectSqlite(path: string): SqliteInspection {
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
