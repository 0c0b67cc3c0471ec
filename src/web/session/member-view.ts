import { endViewAs, type ViewAs } from '#contract/console-view-as.ts'
import { call } from '#web/api/call.ts'
import { leaveFor } from '#web/api/leave.ts'
import { reloadPage } from '#web/api/reload.ts'
import { VIEW_TOKEN_KEY, viewToken } from '#web/api/view-token.ts'
import { sessionStore } from './browser-storage.ts'
import { currentToken, logOut } from './session.ts'

/** What the bar says of a view. */
export interface ShownView {
  id: string
  memberId: string
  /** First and last. */
  name: string
  /** ISO 8601. */
  until: string
}

const VIEW_KEY = 'view'

/**
 * Turns this tab into the site as the member sees it. A new page begins with it, so that nothing an officer had loaded is left.
 * @returns false where the browser keeps nothing: then nothing was turned
 */
export function openView({ id, token, until, member }: ViewAs, path: string): boolean {
  const shown: ShownView = { id, memberId: member._id, name: `${member.name.first} ${member.name.last}`, until }
  sessionStore.set(VIEW_KEY, JSON.stringify(shown))
  sessionStore.set('token', token)
  sessionStore.set('user', JSON.stringify(member))
  sessionStore.set(VIEW_TOKEN_KEY, token)
  if (viewToken() !== token) {
    forgetView()
    return false
  }
  reloadWhenReturnedTo()
  void leaveFor(path)
  return true
}

export function readView(): ShownView | null {
  try {
    return JSON.parse(sessionStore.get(VIEW_KEY) ?? 'null') as ShownView | null
  } catch {
    return null
  }
}

/** The tab is the officer's own again at once; the server is told, and would end the view by itself. */
export async function leaveView(path: string): Promise<void> {
  const view = readView()
  forgetView()
  const bearer = currentToken()
  if (view && bearer !== null) await call(endViewAs, { params: { id: view.id }, bearer }).catch(() => {})
  void leaveFor(path)
}

/** When its time is over: nobody is logged in any more in this tab, and the bar says so. */
export const endShownView = logOut

/** Back leads to a page as it was kept, which may still be somebody else's. */
export function reloadWhenReturnedTo(): () => void {
  const reload = ({ persisted }: PageTransitionEvent) => persisted && reloadPage()
  window.addEventListener('pageshow', reload)
  return () => window.removeEventListener('pageshow', reload)
}

function forgetView(): void {
  for (const key of [VIEW_TOKEN_KEY, VIEW_KEY, 'token', 'user']) sessionStore.remove(key)
}
