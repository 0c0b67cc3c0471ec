/** Longer than this without a complete answer counts as no network. */
const TIMEOUT_MS = 15_000

/**
 * Asks for a public list that a page shows from its first moment, without the weight of `call`: a bad status or shape is an empty list
 * (decision D6). `read` takes the list out of the answer, and undefined where it is not there.
 * @throws when the call could not be made at all
 */
export async function fetchList<T>(path: string, read: (answer: unknown) => T[] | undefined): Promise<T[]> {
  const response = await fetch(path, {
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const text = await response.text()
  if (!response.ok) return []
  try {
    return read(JSON.parse(text)) ?? []
  } catch {
    return []
  }
}
