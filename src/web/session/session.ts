import { useSyncExternalStore } from 'react'
import { sessionLimits } from '#contract/session-limits.ts'
import { reloadPage } from '#web/api/reload.ts'
import { viewToken } from '#web/api/view-token.ts'
import { localStore, sessionStore } from './browser-storage.ts'
import { readStoredUser, type StoredUser } from './stored-user.rules.ts'
import { forgetTempUser } from './forget-temp-user.ts'
import { isTokenExpiringSoon, isTokenValid } from './token.rules.ts'

/** `unknown` until the browser has looked: on the server and while a page comes alive. */
export interface Session {
  status: 'unknown' | 'anonymous' | 'member'
  user: StoredUser | null
}

export const TOKEN_KEY = 'token'
const USER_KEY = 'user'
const UNKNOWN: Session = { status: 'unknown', user: null }

/** While an officer sees the site as a member (`view.ts`), who is logged in is the tab's alone, and the officer's own stays untouched. */
const store = () => (viewToken() === null ? localStore : sessionStore)

let session: Session = UNKNOWN
/** Told whether the session ended by itself. */
type SessionListener = (hasEnded?: boolean) => void
const listeners = new Set<SessionListener>()

export function useSession(): Session {
  return useSyncExternalStore(subscribe, getSession, () => UNKNOWN)
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
 * Start-up in the specified order: an invalid token is cleared, a valid one loads the stored user, and from
 * then on the token is looked at every minute and other tabs are heard. Returns what stops all that.
 */
export function startSession(): () => void {
  const token = store().get(TOKEN_KEY)
  if (token === null) become(null)
  else if (currentToken() === null) logOut()
  else become(readStoredUser(store().get(USER_KEY)))

  const check = setInterval(() => void checkToken(), sessionLimits.validityCheckMs)
  window.addEventListener('storage', hearOtherTab)
  void checkToken()
  return () => {
    clearInterval(check)
    window.removeEventListener('storage', hearOtherTab)
    session = UNKNOWN
  }
}

export function logIn({ token, user }: { token: string; user: StoredUser | undefined }): void {
  store().set(TOKEN_KEY, token)
  forgetTempUser()
  if (user) return keepUser(user)
  store().remove(USER_KEY)
  become(null)
}

/** Remembers a fresher picture of the person who is logged in. */
export function keepUser(user: StoredUser): void {
  store().set(USER_KEY, JSON.stringify(user))
  become(user)
}

export function logOut(): void {
  void leave()
}

/** What the visitor asks for: as `logOut`, and the page starts afresh. */
export function signOut(): void {
  forgetTempUser()
  // What an officer typed belongs to nobody else who uses this browser; a view of somebody's site leaves it alone.
  if (!viewToken()) for (const key of localStore.keys()) if (key.startsWith('console-')) localStore.remove(key)
  const left = leave()
  if (left) void left.finally(reloadPage)
  else reloadPage()
}

/** Resolves once nothing of an event's door is left in this browser (`door-kept.ts`); null where there is none. */
function leave(hasEnded?: boolean): Promise<void> | null {
  store().remove(TOKEN_KEY)
  store().remove(USER_KEY)
  session = { status: 'anonymous', user: null }
  tellListeners(hasEnded)
  // Where it cannot be fetched: nothing of the door opens without a session.
  return !viewToken() && localStore.get('door-officer')
    ? import('./door-kept.ts').then(({ forgetDoor }) => forgetDoor()).catch(() => {})
    : null
}

/** Of every change of the session; what it returns ends that. */
export function subscribe(listener: SessionListener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** A stored token or a known user counts as logged in. */
function become(user: StoredUser | null): void {
  session = { status: user !== null || store().get(TOKEN_KEY) !== null ? 'member' : 'anonymous', user }
  tellListeners()
}

function tellListeners(hasEnded?: boolean): void {
  for (const listener of listeners) listener(hasEnded)
}

async function checkToken(): Promise<void> {
  const token = store().get(TOKEN_KEY)
  if (token === null) return
  if (!isTokenValid(token, Date.now())) return endSession()
  if (viewToken() !== null || !isTokenExpiringSoon(token, Date.now())) return
  // Where it cannot be fetched, the next check tries again.
  await import('./refresh-token.ts').then(({ exchange }) => exchange(token)).catch(() => {})
}

function hearOtherTab({ key, newValue }: StorageEvent): void {
  if (viewToken() === null && (key === USER_KEY || key === null)) {
    const user = readStoredUser(newValue)
    if (user !== null || newValue === null) become(user)
  }
  // docs/product-rules.md#sessions-across-tabs: logged out there, logged out here.
  if ((key === TOKEN_KEY || key === null) && newValue === null) endSession()
}

/** As `logOut`, where nothing was sent that would say so itself: in another tab, with its time, or told by what was only read. */
export function endSession(): void {
  void leave(true)
}
