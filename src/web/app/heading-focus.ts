/**
 * Any negative tabindex takes an element out of the tab order. Not -1: if the focused element has -1, Headless UI moves
 * focus back to the menu button two frames after a selection, and the new page may render sooner than that.
 */
const FOCUSABLE = '-2'

const findMain = () => document.getElementById('main')
const findHeading = () => findMain()?.querySelector('h1') ?? null

/** Focuses the heading of a section, or else the main one; on a page without one, the main landmark. */
export function focusHeading(section: HTMLElement | null = null): void {
  const target = section?.querySelector<HTMLElement>('h2') ?? findHeading() ?? findMain()
  if (!target) return
  // Replaces -1 as well, which pages set when they focus the heading themselves.
  target.setAttribute('tabindex', FOCUSABLE)
  target.focus({ preventScroll: true })
}

/**
 * When a page replaces its main heading, as at the end of loading, and the focus goes with what is replaced or waits on the main landmark, focuses the new one.
 * Never takes the focus from where the person moved it. @returns what ends it
 */
export function keepFocusOnHeading(): () => void {
  let heading = findHeading()
  let focused: EventTarget | null = null
  const follow = ({ target }: FocusEvent) => (focused = target)
  const isLost = () =>
    document.activeElement === findMain() ||
    (document.activeElement === document.body && focused instanceof Node && !focused.isConnected)
  const watcher = new MutationObserver(() => {
    if (heading === findHeading()) return
    heading = findHeading()
    if (isLost()) focusHeading()
  })
  watcher.observe(document.body, { childList: true, subtree: true })
  document.addEventListener('focusin', follow)
  return () => {
    watcher.disconnect()
    document.removeEventListener('focusin', follow)
  }
}
