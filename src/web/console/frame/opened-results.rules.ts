/** A search result, or a page of the console. */
export interface Found {
  title: string
  detail: string
  url: string
}

/** How many results are stored. */
const STORED = 5

/** Reads the results opened last, newest first; whatever cannot be read is none. */
export function readOpened(stored: string | null): Found[] {
  try {
    const read: unknown = JSON.parse(stored ?? '[]')
    return Array.isArray(read) ? read.filter(isFound).slice(0, STORED) : []
  } catch {
    return []
  }
}

/** Returns what to store after a result was opened: it comes first, and is listed once. */
export function withOpened(stored: string | null, { title, detail, url }: Found): string {
  const others = readOpened(stored).filter((found) => found.url !== url)
  return JSON.stringify([{ title, detail, url }, ...others].slice(0, STORED))
}

function isFound(value: unknown): value is Found {
  const { title, detail, url } = (value ?? {}) as Partial<Record<keyof Found, unknown>>
  return (
    typeof title === 'string' && typeof detail === 'string' && typeof url === 'string' && url.startsWith('/console')
  )
}
