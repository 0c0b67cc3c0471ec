import { useSyncExternalStore } from 'react'
import { sessionLimits } from '#contract/session-limits.ts'
import { reloadPage } from '#web/api/reload.ts'
import { viewToken } from '#web/api/view-token.ts'
import { localStore, sessionStore } from './browser-storage.ts'
import { readStoredUser, type StoredUser } from './stored-user.rules.ts'
import { clearPendingRegistration } from './clear-pending-registration.ts'
import { removeKeptCards } from './offline/kept-card.ts'
import { isTokenExpiringSoon, isTokenValid, tokenOwner } from './token.rules.ts'

/** `unknown` on the server and until the browser has checked. */
export interface Session {
  status: 'unknown' | 'anonymous' | 'member'
  user: StoredUser | null
}

export const TOKEN_KEY = 'token'
const USER_KEY = 'user'
const UNKNOWN: Session = { status: 'unknown', user: null }

/**
 * While an officer views the site as a member (`view.ts`), the session is in session storage, and the officer's own
 * stays untouched.
 */
const store = () => (viewToken() === null ? localStore : sessionStore)

let session: Session = UNKNOWN
/** `hasEnded`: the session ended without a visible call reporting it. */
type SessionListener = (hasEnded?: boolean) => void
const listeners = new Set<SessionListener>()

export function useSession(): Session {
  return useSyncExternalStore(onSessionChange, getSession, () => UNKNOWN)
}

export function getSession(): Session {
  return session
}

/** The stored token if it is valid now, else null. */
export function currentToken(): string | null {
  const token = store().get(TOKEN_KEY)
  return token !== null && isTokenValid(token, Date.now()) ? token : null
}

/**
 * Clears an invalid token, or loads the stored user of a valid one; then checks the token every minute and listens to
 * other tabs. Returns a function that stops this.
 */
export function startSession(): () => void {
  const token = store().get(TOKEN_KEY)
  if (token === null) setUser(null)
  else if (currentToken() === null) logOut()
  else setUser(readStoredUser(store().get(USER_KEY)))

  const check = setInterval(() => void checkToken(), sessionLimits.validityCheckMs)
  window.addEventListener('storage', handleStorage)
  void checkToken()
  return () => {
    clearInterval(check)
    window.removeEventListener('storage', handleStorage)
    session = UNKNOWN
  }
}

export function logIn({ token, user }: { token: string; user: StoredUser | undefined }): void {
  store().set(TOKEN_KEY, token)
  if (!viewToken()) void forgetCards(tokenOwner(token))
  clearPendingRegistration()
  if (user) return storeUser(user)
  store().remove(USER_KEY)
  setUser(null)
}

/** Stores an updated user. */
export function storeUser(user: StoredUser): void {
  store().set(USER_KEY, JSON.stringify(user))
  setUser(user)
}

export function logOut(): void {
  void clearSession()
}

/** Logs out at the visitor's request and reloads the page. */
export function signOut(): void {
  clearPendingRegistration()
  // Drafts typed by an officer must not be left for the next user of this browser. Ending a member view keeps them.
  if (!viewToken()) for (const key of localStore.keys()) if (key.startsWith('console-')) localStore.remove(key)
  const left = [viewToken() ? null : forgetCards(), clearSession()].filter((one) => one !== null)
  if (left.length > 0) void Promise.all(left).finally(reloadPage)
  else reloadPage()
}

/** Resolves when the check-in data is cleared from this browser (`check-in-storage.ts`); null if there is none. */
function clearSession(hasEnded?: boolean): Promise<void> | null {
  // A card stays on its member's phone when the session only expires (decision record 61).
  if (!viewToken() && currentToken() !== null) void forgetCards()
  store().remove(TOKEN_KEY)
  store().remove(USER_KEY)
  session = { status: 'anonymous', user: null }
  notifyListeners(hasEnded)
  // If this fails to load, the check-in page still does not open without a session.
  return !viewToken() && localStore.get('door-officer')
    ? import('./check-in-storage.ts').then(({ clearCheckInData: clearCheckIn }) => clearCheckIn()).catch(() => {})
    : null
}

/** Removes the membership cards of others, or all, from this browser. Resolves when the files of the card's page are deleted too; null if there was no card. */
function forgetCards(except: string | null = null): Promise<void> | null {
  if (!removeKeptCards(except)) return null
  return (
    import('./offline/offline-pages.ts')
      .then(({ CARD_PAGE, removeOfflinePage }) => removeOfflinePage(CARD_PAGE))
      // What they hold is the same for everyone.
      .catch(() => {})
  )
}

/** Listens to session changes; returns the unsubscribe function. */
export function onSessionChange(listener: SessionListener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** A stored token or a known user counts as logged in. */
function setUser(user: StoredUser | null): void {
  session = { status: user !== null || store().get(TOKEN_KEY) !== null ? 'member' : 'anonymous', user }
  notifyListeners()
}

function notifyListeners(hasEnded?: boolean): void {
  for (const listener of listeners) listener(hasEnded)
}

async function checkToken(): Promise<void> {
  const token = store().get(TOKEN_KEY)
  if (token === null) return
  if (!isTokenValid(token, Date.now())) return endSession()
  if (viewToken() !== null || !isTokenExpiringSoon(token, Date.now())) return
  // If this fails to load, the next check retries.
  await import('./refresh-token.ts').then(({ refreshToken: exchange }) => exchange(token)).catch(() => {})
}

function handleStorage({ key, newValue }: StorageEvent): void {
  if (viewToken() === null && (key === USER_KEY || key === null)) {
    const user = readStoredUser(newValue)
    if (user !== null || newValue === null) setUser(user)
  }
  // A logout in another tab logs out here (docs/product-rules.md#sessions-across-tabs).
  if ((key === TOKEN_KEY || key === null) && newValue === null) endSession()
}

/**
 * Logs out where no submission reports it: after a logout in another tab, when the token expires, or after a failed
 * GET.
 */
export function endSession(): void {
  void clearSession(true)
}
