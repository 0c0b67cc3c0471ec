/**
 * Leaves for another site (the card provider's pages). The promise is kept only when the visitor comes back to this very page
 * by the browser's Back button, so whoever awaits it stays busy until then.
 * @throws {Error} for an address that is not http or https: nothing else may be run from a reply.
 */
export function leaveFor(url: string): Promise<void> {
  const target = new URL(url, window.location.href)
  if (target.protocol !== 'https:' && target.protocol !== 'http:') throw new Error('Not an address to go to')
  const back = new Promise<void>((resolve) => {
    window.addEventListener('pageshow', (event) => {
      if (event.persisted) resolve()
    })
  })
  window.location.assign(target)
  return back
}
