/** Longer than this without a complete answer counts as no network. */
const TIMEOUT_MS = 15_000

/**
 * Asks for what a page shows from its first moment, without the weight of `call`. `read` takes what is wanted out of the answer, and undefined where it
 * is not there; what is no JSON it gets as undefined.
 * @throws when the call could not be made, and for a bad status or shape
 */
export async function fetchAnswer<T>(path: string, read: (answer: unknown) => T | undefined): Promise<T> {
  const { response, text } = await ask(path)
  const answer = response.ok ? read(parse(text)) : undefined
  if (answer === undefined) throw new Error(`${path} answered ${response.status} with something else`)
  return answer
}

/**
 * The same for a public list, where a bad status or shape is an empty one (docs/product-rules.md#lists-that-cannot-be-loaded).
 * @throws when the call could not be made at all
 */
export async function fetchList<T>(path: string, read: (answer: unknown) => T[] | undefined): Promise<T[]> {
  const { response, text } = await ask(path)
  return response.ok ? (read(parse(text)) ?? []) : []
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function ask(path: string): Promise<{ response: Response; text: string }> {
  const response = await fetch(path, {
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  return { response, text: await response.text() }
}
