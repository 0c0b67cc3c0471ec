/** A module of its own because every page loads it: logging in can end on any page. */
export function reloadPage(): void {
  window.location.reload()
}
