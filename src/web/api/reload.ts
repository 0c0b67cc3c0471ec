/** By itself, since every page has it: the log-in may end on any. */
export function reloadPage(): void {
  window.location.reload()
}
