/** Caches the promise for `forMs`, rejections included. */
export function cacheFor<T>(forMs: number, load: () => Promise<T>): () => Promise<T> {
  let cached: Promise<T> | null = null
  let loadedAt = -Infinity
  return () => {
    const now = performance.now()
    if (!cached || now - loadedAt >= forMs) {
      loadedAt = now
      cached = load()
    }
    return cached
  }
}
