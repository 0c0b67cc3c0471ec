/** Engines take only so many parameters in one statement. */
const MOST_IN_A_STATEMENT = 400

/**
 * Asks about some at a time, one statement after another, and puts the rows together in that order. Everything else has its
 * turn between two statements.
 * @param size at most so many at a time; fewer for rows of many columns
 */
export async function inBatches<Item, Row>(
  items: readonly Item[],
  ask: (some: Item[]) => Promise<readonly Row[]>,
  size = MOST_IN_A_STATEMENT,
): Promise<Row[]> {
  const rows: Row[] = []
  for (let from = 0; from < items.length; from += size) rows.push(...(await ask(items.slice(from, from + size))))
  return rows
}
