/** Returns the file path of a `sqlite:` URL. */
export function sqliteFile(databaseUrl: string): string {
  return databaseUrl.slice('sqlite:'.length)
}
