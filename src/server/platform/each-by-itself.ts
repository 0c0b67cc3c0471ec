import { isDatabaseUnavailable } from '../db/failures.ts'

/**
 * Does the same with each, also when it fails for another: one record that cannot be handled must not hold up those behind it. Throws at the end, so that
 * the job counts as failed and somebody looks.
 * @param nameOf how the error names one of them; logs keep it, so nothing personal
 */
export async function eachByItself<T>(
  all: Iterable<T> | AsyncIterable<T>,
  nameOf: (one: T) => string,
  act: (one: T) => Promise<unknown>,
): Promise<void> {
  const failures: string[] = []
  for await (const one of all) {
    try {
      await act(one)
    } catch (error) {
      // Nothing else would work either.
      if (isDatabaseUnavailable(error)) throw error
      failures.push(`${nameOf(one)}: ${(error as Error).message}`)
    }
  }
  if (failures.length === 0) return
  const rest = failures.length > 1 ? ` (and ${failures.length - 1} more)` : ''
  throw new Error(`${failures[0]}${rest}`)
}
