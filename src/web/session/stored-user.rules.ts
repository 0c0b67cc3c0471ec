/** The logged-in user as stored in the browser. */
export interface StoredUser {
  username: string
  email?: string
  name?: { first: string; last: string }
}

/** null unless the text is a JSON object with a username. */
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
