const ROUNDS = 3

/**
 * What was asked of the provider is written down only where nobody else wrote what they had read meanwhile: which of the two asked later is not known, so it
 * is asked again.
 * @param round asks and writes; answers null when it was overtaken, but for the last, which is to write all the same
 */
export async function askUntilAlone<T>(round: (isLast: boolean) => Promise<T | null>): Promise<T | null> {
  for (let count = 1; count < ROUNDS; count++) {
    const answer = await round(false)
    if (answer !== null) return answer
  }
  return round(true)
}
