/** Of the tab alone: other tabs stay the officer's own. */
export const VIEW_TOKEN_KEY = 'viewToken'

/** The token of the view that is open in this tab, when an officer sees the site as a member does; null for everybody else. */
export function viewToken(): string | null {
  try {
    return window.sessionStorage.getItem(VIEW_TOKEN_KEY)
  } catch {
    return null
  }
}
