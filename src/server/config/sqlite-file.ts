/** The file that a `sqlite:` address names. */
export function sqliteFile(databaseUrl: string): string {
  return databaseUrl.slice('sqlite:'.length)
}
