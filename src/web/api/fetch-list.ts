/** Without a complete response after this time, the request fails. */
const TIMEOUT_MS = 15_000

/**
 * Fetches JSON for a page's first view without the weight of `call`. `read` extracts the value from the parsed body, or
 * returns undefined if it is not there; invalid JSON is passed as undefined.
 * @throws if the request fails, or for an error status or an unexpected shape
 */
export async function fetchJson<T>(path: string, read: (answer: unknown) => T | undefined): Promise<T> {
  const { response, text } = await request(path)
  const answer = response.ok ? read(parse(text)) : undefined
  if (answer === undefined) throw new Error(`${path} answered ${response.status} with something else`)
  return answer
}

/**
 * Like `fetchJson` for public lists, but an error status or an unexpected shape is an empty list
 * (docs/product-rules.md#lists-that-cannot-be-loaded).
 * @throws if the request itself fails
 */
export async function fetchList<T>(path: string, read: (answer: unknown) => T[] | undefined): Promise<T[]> {
  const { response, text } = await request(path)
  return response.ok ? (read(parse(text)) ?? []) : []
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function request(path: string): Promise<{ response: Response; text: string }> {
  const response = await fetch(path, {
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  return { response, text: await response.text() }
}
