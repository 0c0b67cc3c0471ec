import { endViewAs, type ViewAs } from '#contract/console/view-as.ts'
import { call } from '#web/api/call.ts'
import { redirectTo } from '#web/api/redirect.ts'
import { reloadPage } from '#web/api/reload.ts'
import { VIEW_TOKEN_KEY, viewToken } from '#web/api/view-token.ts'
import { sessionStore } from './browser-storage.ts'
import { currentToken, logOut } from './session.ts'

/** What the bar shows about the view. */
export interface MemberView {
  id: string
  memberId: string
  /** First and last name. */
  name: string
  /** ISO 8601. */
  until: string
}

const VIEW_KEY = 'view'

/**
 * Turns this tab into the member's view of the site and loads a new document, so that nothing of the officer's is left.
 * @returns false if session storage is blocked; the tab is then unchanged
 */
export function openMemberView({ id, token, until, member }: ViewAs, path: string): boolean {
  const shown: MemberView = { id, memberId: member._id, name: `${member.name.first} ${member.name.last}`, until }
  sessionStore.set(VIEW_KEY, JSON.stringify(shown))
  sessionStore.set('token', token)
  sessionStore.set('user', JSON.stringify(member))
  sessionStore.set(VIEW_TOKEN_KEY, token)
  if (viewToken() !== token) {
    clearView()
    return false
  }
  reloadOnBackNavigation()
  void redirectTo(path)
  return true
}

export function readMemberView(): MemberView | null {
  try {
    return JSON.parse(sessionStore.get(VIEW_KEY) ?? 'null') as MemberView | null
  } catch {
    return null
  }
}

/** Returns the tab to the officer and ends the view on the server, where it would otherwise expire. */
export async function leaveMemberView(path: string): Promise<void> {
  const view = readMemberView()
  clearView()
  const bearer = currentToken()
  if (view && bearer !== null) await call(endViewAs, { params: { id: view.id }, bearer }).catch(() => {})
  void redirectTo(path)
}

/** Called when the view expires: the tab is logged out, and the bar says so. */
export const endMemberView = logOut

/** Reloads a page restored from the back-forward cache, which may still show another person's data. */
export function reloadOnBackNavigation(): () => void {
  const reload = ({ persisted }: PageTransitionEvent) => persisted && reloadPage()
  window.addEventListener('pageshow', reload)
  return () => window.removeEventListener('pageshow', reload)
}

function clearView(): void {
  for (const key of [VIEW_TOKEN_KEY, VIEW_KEY, 'token', 'user']) sessionStore.remove(key)
}
