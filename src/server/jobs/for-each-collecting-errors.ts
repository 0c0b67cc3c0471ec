import { isDatabaseUnavailable } from '#server/db/failures.ts'

/**
 * Runs `act` for each item, continuing after failures: one bad record must not block those after it. Throws at the end, so that the job counts as failed and is
 * noticed.
 * @param nameOf names an item in the error message; it is logged, so it must not contain personal data
 */
export async function forEachCollectingErrors<T>(
  items: Iterable<T> | AsyncIterable<T>,
  nameOf: (item: T) => string,
  act: (item: T) => Promise<unknown>,
): Promise<void> {
  const failures: string[] = []
  for await (const item of items) {
    try {
      await act(item)
    } catch (error) {
      // Every other item would fail as well.
      if (isDatabaseUnavailable(error)) throw error
      failures.push(`${nameOf(item)}: ${(error as Error).message}`)
    }
  }
  if (failures.length === 0) return
  const rest = failures.length > 1 ? ` (and ${failures.length - 1} more)` : ''
  throw new Error(`${failures[0]}${rest}`)
}
