import { CamelCasePlugin, type PluginTransformResultArgs, type QueryResult, type UnknownRow } from 'kysely'

type RowMapper = (row: UnknownRow) => UnknownRow

/**
 * Queries and rows are in camelCase, tables and columns of the database in snake_case. Code that handles tables by their names in the database uses
 * `withoutPlugins()`.
 */
export class CamelCaseNames extends CamelCasePlugin {
  readonly #mappers = new Map<string, RowMapper>()

  /** Kysely's own version would take `failuresInARow` for `failures_in_arow`. */
  protected override snakeCase(name: string): string {
    return name.replaceAll(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`)
  }

  override async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    const [first] = result.rows
    return first ? { ...result, rows: result.rows.map(this.#mapperFor(Object.keys(first))) } : result
  }

  /** Generated once for each list of columns: assigning one column after another costs ten times as much (docs/decisions/0041-camel-case-rows.md). */
  #mapperFor(columns: readonly string[]): RowMapper {
    const list = columns.join()
    let mapper = this.#mappers.get(list)
    if (!mapper) {
      const fields = columns.map(
        (column) => `${JSON.stringify(this.camelCase(column))}: row[${JSON.stringify(column)}]`,
      )
      // oxlint-disable-next-line typescript/no-implied-eval -- the names are written as JSON strings
      mapper = new Function('row', `return { ${fields.join(', ')} }`) as RowMapper
      this.#mappers.set(list, mapper)
    }
    return mapper
  }
}
