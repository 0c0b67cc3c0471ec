/**
 * All access to browser storage. Storage may be blocked, full or cleared at any time: nothing here throws, and values
 * that could not be written are kept in memory until the page unloads.
 */
export interface BrowserStorage {
  get(key: string): string | null
  set(key: string, value: string): void
  remove(key: string): void
  keys(): string[]
}

export const localStore: BrowserStorage = createSafeStorage(() => window.localStorage)
export const sessionStore: BrowserStorage = createSafeStorage(() => window.sessionStorage)

/** `open` is called each time because reading the property itself throws where storage is blocked. */
function createSafeStorage(open: () => Storage): BrowserStorage {
  const fallback = new Map<string, string>()
  return {
    get(key) {
      const pending = fallback.get(key)
      if (pending !== undefined) return pending
      try {
        return open().getItem(key)
      } catch {
        return null
      }
    },
    set(key, value) {
      try {
        open().setItem(key, value)
        fallback.delete(key)
      } catch {
        fallback.set(key, value)
      }
    },
    remove(key) {
      fallback.delete(key)
      try {
        open().removeItem(key)
      } catch {
        // Blocked storage has nothing to remove.
      }
    },
    keys() {
      try {
        return [...new Set([...Object.keys(open()), ...fallback.keys()])]
      } catch {
        return [...fallback.keys()]
      }
    },
  }
}
