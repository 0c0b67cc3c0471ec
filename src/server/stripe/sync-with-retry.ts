const ROUNDS = 3

/**
 * Syncs a record with the provider. When another process stored a newer state between our read and our write, it is unclear which read is later, so
 * the sync is retried.
 * @param round reads and stores; resolves to null on a conflict. The last round must store in any case.
 */
export async function syncWithRetryOnConflict<T>(round: (isLast: boolean) => Promise<T | null>): Promise<T | null> {
  for (let count = 1; count < ROUNDS; count++) {
    const result = await round(false)
    if (result !== null) return result
  }
  return round(true)
}
