/** WCAG 1.4.12, the four settings. */
export const SPACING_RULES = `
  * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
  p { margin-bottom: 2em !important }
`

/** Runs in the page. Text clipped by a box, each as `words: why`. */
export function findClipped(): string[] {
  const found: string[] = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const words = node.textContent?.trim() ?? ''
    const parent = node.parentElement
    if (!words || !parent?.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    for (let box: Element | null = parent; box && box !== document.documentElement; box = box.parentElement) {
      const { overflowX, overflowY, position, clipPath } = getComputedStyle(box)
      // For screen readers only: not visible.
      if (clipPath === 'inset(50%)' || box.getClientRects().length === 0) break
      const outer = box.getBoundingClientRect()
      const isCut = [...range.getClientRects()].some(
        (rect) =>
          (/hidden|clip/.test(overflowX) && (rect.right > outer.right + 1 || rect.left < outer.left - 1)) ||
          (/hidden|clip/.test(overflowY) && (rect.bottom > outer.bottom + 2 || rect.top < outer.top - 2)),
      )
      if (isCut) found.push(`${words.slice(0, 60)}: cut by ${box.localName}.${box.className}`)
      if (isCut || position === 'fixed') break
    }
  }
  return found
}

/** Runs in the page. Pairs of adjacent words that overlap. */
export function findOverlaps(): string[] {
  interface Line {
    words: string
    top: number
    bottom: number
    left: number
    right: number
    layer: Element | null
  }
  const lines: Line[] = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const words = node.textContent?.trim() ?? ''
    const parent = node.parentElement
    if (!words || !parent?.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
    if (parent.closest('.visually-hidden, .skip, [inert]')) continue
    let layer: Element | null = parent
    while (layer && !/fixed|sticky|absolute/.test(getComputedStyle(layer).position)) layer = layer.parentElement
    const range = document.createRange()
    range.selectNodeContents(node)
    for (const rect of range.getClientRects()) {
      // The middle half of a line: the area that its characters certainly cover.
      const quarter = rect.height / 4
      lines.push({
        words,
        top: rect.top + quarter,
        bottom: rect.bottom - quarter,
        left: rect.left,
        right: rect.right,
        layer,
      })
    }
  }
  lines.sort((a, b) => a.top - b.top)
  const found: string[] = []
  for (const [at, line] of lines.entries()) {
    for (let next = at + 1; next < lines.length; next++) {
      const other = lines[next] as Line
      if (other.top >= line.bottom) break
      const isBeside = other.left >= line.right - 1 || other.right <= line.left + 1
      // Floating elements cover the page intentionally.
      if (isBeside || other.layer !== line.layer) continue
      found.push(`${line.words.slice(0, 40)} over ${other.words.slice(0, 40)}`)
    }
  }
  return found
}
