/** Engines limit the number of parameters per statement. */
const MAX_PER_STATEMENT = 400

/**
 * Queries in chunks, one statement after another, and concatenates the rows in order. Yields to the event loop between statements.
 * @param size maximum items per chunk; lower for rows with many columns
 */
export async function queryInChunks<Item, Row>(
  items: readonly Item[],
  query: (some: Item[]) => Promise<readonly Row[]>,
  size = MAX_PER_STATEMENT,
): Promise<Row[]> {
  const rows: Row[] = []
  for (let offset = 0; offset < items.length; offset += size)
    rows.push(...(await query(items.slice(offset, offset + size))))
  return rows
}
