/** Asks at most once in `forMs`: whoever asks meanwhile gets the same answer, or the same failure. */
export function remembered<T>(forMs: number, ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | null = null
  let askedAt = -Infinity
  return () => {
    const now = performance.now()
    if (!answer || now - askedAt >= forMs) {
      askedAt = now
      answer = ask()
    }
    return answer
  }
}
