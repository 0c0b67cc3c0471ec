/** JSON in a text column. */
export type JsonText<Value> = string & { readonly parsed?: Value }

type Parsed<Text> = Text extends { readonly parsed?: infer Value } ? Exclude<Value, undefined> : Text

/** A row with the values of these JSON columns instead of their text. */
export type ReadJson<Row, Column> = { [Key in keyof Row]: Key extends Column ? Parsed<Row[Key]> : Row[Key] }

/** A row with `true` and `false` instead of 1 and 0 in these columns. */
export type ReadFlags<Row, Column> = { [Key in keyof Row]: Key extends Column ? boolean : Row[Key] }

export function readJson<Row extends object, Column extends keyof Row>(row: Row, ...columns: Column[]) {
  return change(row, columns, (text) => (text === null ? null : JSON.parse(text as string))) as ReadJson<Row, Column>
}

/** The opposite of `readJson`, for inserts and updates. */
export function writeJson<Row extends object, Column extends keyof Row>(row: Row, ...columns: Column[]) {
  return change(row, columns, (value) => JSON.stringify(value)) as Omit<Row, Column> & Record<Column, string>
}

export function readFlags<Row extends object, Column extends keyof Row>(row: Row, ...columns: Column[]) {
  return change(row, columns, (flag) => flag === 1) as ReadFlags<Row, Column>
}

/** The opposite of `readFlags`. */
export function writeFlags<Row extends object, Column extends keyof Row>(row: Row, ...columns: Column[]) {
  return change(row, columns, (flag) => (flag ? 1 : 0)) as Omit<Row, Column> & Record<Column, 0 | 1>
}

function change<Row extends object>(row: Row, columns: (keyof Row)[], convert: (value: unknown) => unknown): object {
  const changed: Partial<Record<keyof Row, unknown>> = { ...row }
  for (const column of columns) changed[column] = convert(row[column])
  return changed
}
