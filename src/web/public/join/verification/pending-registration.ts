import { localStore } from '#web/session/browser-storage.ts'
import { clearPendingRegistration, PENDING_REGISTRATION_KEY } from '#web/session/clear-pending-registration.ts'

const LIFETIME_MS = 24 * 60 * 60 * 1_000

/**
 * A pending registration: first name and email address only (docs/product-rules.md#the-pending-person-in-the-browser).
 */
export interface PendingRegistration {
  email: string
  name: { first: string }
}

export function storePendingRegistration({ email, name }: PendingRegistration): void {
  localStore.set(
    PENDING_REGISTRATION_KEY,
    JSON.stringify({ email, name: { first: name.first }, until: Date.now() + LIFETIME_MS }),
  )
}

/** null if there is none, if it cannot be read, or after 24 hours. */
export function readPendingRegistration(): PendingRegistration | null {
  const text = localStore.get(PENDING_REGISTRATION_KEY)
  if (text === null) return null
  const stored = parse(text)
  if (stored === null) clearPendingRegistration()
  return stored
}

function parse(text: string): PendingRegistration | null {
  try {
    const { email, name, until } = JSON.parse(text)
    const isComplete = typeof email === 'string' && typeof name?.first === 'string' && typeof until === 'number'
    return isComplete && until > Date.now() ? { email, name: { first: name.first } } : null
  } catch {
    return null
  }
}
