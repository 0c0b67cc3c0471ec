/** In session storage, so it applies to this tab only; the officer's other tabs are unaffected. */
export const VIEW_TOKEN_KEY = 'viewToken'

/**
 * The token of the member view open in this tab, or null if the visitor is not an officer viewing the site as a member.
 */
export function viewToken(): string | null {
  try {
    return window.sessionStorage.getItem(VIEW_TOKEN_KEY)
  } catch {
    return null
  }
}
