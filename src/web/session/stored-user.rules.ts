/** What the browser keeps of the person who is logged in. */
export interface StoredUser {
  username: string
  email?: string
  name?: { first: string; last: string }
}

/** Null unless the text is JSON of an object that has a username. */
export function readStoredUser(text: string | null): StoredUser | null {
  if (text === null) return null
  try {
    const value: unknown = JSON.parse(text)
    const isUser = typeof value === 'object' && value !== null && 'username' in value
    return isUser && typeof value.username === 'string' && value.username !== '' ? (value as StoredUser) : null
  } catch {
    return null
  }
}
