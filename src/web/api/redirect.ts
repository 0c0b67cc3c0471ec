/**
 * Navigates to another site (the card provider's pages). The promise resolves only if the visitor returns with the
 * browser's Back button, so callers stay busy until then.
 * @throws {Error} unless the URL is http or https: a reply must not be able to run anything else
 */
export function redirectTo(url: string): Promise<void> {
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
