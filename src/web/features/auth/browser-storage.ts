/**
 * The only way to the browser's storage. Storage may be blocked, full or emptied at any time: nothing here throws, and what
 * could not be written is remembered until the page goes away.
 */
export interface BrowserStorage {
  get(key: string): string | null
  set(key: string, value: string): void
  remove(key: string): void
  keys(): string[]
}

export const localStore: BrowserStorage = guard(() => window.localStorage)
export const sessionStore: BrowserStorage = guard(() => window.sessionStorage)

/** `open` is called each time, since reading the property itself throws where storage is blocked. */
function guard(open: () => Storage): BrowserStorage {
  const unwritten = new Map<string, string>()
  return {
    get(key) {
      const remembered = unwritten.get(key)
      if (remembered !== undefined) return remembered
      try {
        return open().getItem(key)
      } catch {
        return null
      }
    },
    set(key, value) {
      try {
        open().setItem(key, value)
        unwritten.delete(key)
      } catch {
        unwritten.set(key, value)
      }
    },
    remove(key) {
      unwritten.delete(key)
      try {
        open().removeItem(key)
      } catch {
        // Blocked storage held nothing to remove.
      }
    },
    keys() {
      try {
        return [...new Set([...Object.keys(open()), ...unwritten.keys()])]
      } catch {
        return [...unwritten.keys()]
      }
    },
  }
}
