export const USABLE = 'summary, [role=tab], button'

/** A control and how it is used with the keyboard. */
export interface Usable {
  at: number
  name: string
  use: 'menu' | 'phone menu' | 'tab' | 'fold' | 'pause' | 'move' | 'button'
}

/** Runs in the page. One control of each kind and how it is used. */
export function listUsable([selector, withFrame]: readonly [string, boolean]): Usable[] {
  const kinds = new Set<string>()
  return [...document.querySelectorAll<HTMLElement>(selector)].flatMap((element, at): Usable[] => {
    const name = (element.getAttribute('aria-label') ?? element.textContent).replace(/\s+/g, ' ').trim()
    const word = element.localName === 'button' ? name.split(' ')[0] : ''
    const kind = [element.localName, element.className, element.role, word].join()
    const isOff = element.matches(':disabled, [aria-disabled=true], [type=submit], [role=tab][aria-selected=false]')
    const isChosen = withFrame || element.closest('main') !== null
    // Logging out is an ordinary button, but ends the visit.
    const isEnd = /^sign out/i.test(name)
    if (isOff || isEnd || !isChosen || kinds.has(kind) || !element.checkVisibility({ visibilityProperty: true }))
      return []
    kinds.add(kind)
    if (element.matches('[aria-haspopup=menu]')) return [{ at, name, use: 'menu' }]
    if (element.matches('header [aria-expanded][aria-controls]')) return [{ at, name, use: 'phone menu' }]
    if (element.role === 'tab' || element.matches('[role=tab]')) return [{ at, name, use: 'tab' }]
    if (element.localName === 'summary') return [{ at, name, use: 'fold' }]
    if (/^(pause|play)\b/i.test(name)) return [{ at, name, use: 'pause' }]
    if (/^(next|previous)\b/i.test(name)) return [{ at, name, use: 'move' }]
    return [{ at, name, use: 'button' }]
  })
}
