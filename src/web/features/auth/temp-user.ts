import { localStore } from './browser-storage.ts'
import { forgetTempUser, TEMP_USER_KEY } from './forget-temp-user.ts'

const LIFETIME_MS = 24 * 60 * 60 * 1_000

/** The copy of a person who is registering: first name and address, nothing else (docs/product-rules.md#the-pending-person-in-the-browser). */
export interface TempUser {
  email: string
  name: { first: string }
}

export function keepTempUser({ email, name }: TempUser): void {
  localStore.set(TEMP_USER_KEY, JSON.stringify({ email, name: { first: name.first }, until: Date.now() + LIFETIME_MS }))
}

/** Null when there is none, when it cannot be read, and 24 hours after it was kept. */
export function readTempUser(): TempUser | null {
  const text = localStore.get(TEMP_USER_KEY)
  if (text === null) return null
  const kept = parse(text)
  if (kept === null) forgetTempUser()
  return kept
}

function parse(text: string): TempUser | null {
  try {
    const { email, name, until } = JSON.parse(text)
    const isWhole = typeof email === 'string' && typeof name?.first === 'string' && typeof until === 'number'
    return isWhole && until > Date.now() ? { email, name: { first: name.first } } : null
  } catch {
    return null
  }
}
