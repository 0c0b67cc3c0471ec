/** JSON in a text column. */
export type JsonText<Value> = string & { readonly parsed?: Value }

type JsonColumn<Row> = {
  [Column in keyof Row]: 'parsed' extends keyof NonNullable<Row[Column]> ? Column : never
}[keyof Row]

type Parsed<Text> = Text extends { readonly parsed?: infer Value } ? Exclude<Value, undefined> : Text

/** A row with the values of these JSON columns instead of their text. */
export type ReadJson<Row, Columns extends JsonColumn<Row>> = {
  [Column in keyof Row]: Column extends Columns ? Parsed<Row[Column]> : Row[Column]
}

export function readJson<Row extends object, Columns extends JsonColumn<Row>>(
  row: Row,
  ...columns: Columns[]
): ReadJson<Row, Columns> {
  const values = columns.map((column) => [column, JSON.parse(row[column] as string)])
  return { ...row, ...Object.fromEntries(values) } as ReadJson<Row, Columns>
}

/** The opposite of `readJson`, for inserts and updates. */
export function writeJson<Row extends object, Columns extends keyof Row>(
  row: Row,
  ...columns: Columns[]
): { [Column in keyof Row]: Column extends Columns ? JsonText<Row[Column]> : Row[Column] } {
  const texts = columns.map((column) => [column, JSON.stringify(row[column])])
  return { ...row, ...Object.fromEntries(texts) }
}
