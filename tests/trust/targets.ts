/** CSS pixels (WCAG 2.5.8). */
export const LEAST_SIZE = 24

export interface Targets {
  count: number
  /** Too small and too close to another one, each with its size. */
  small: string[]
}

/**
 * Runs in the page. A target is large enough when it is 24 by 24 pixels, when it is inline in a sentence, or when a circle of 24 pixels around its
 * center touches no other target and no circle of another small one (exceptions of WCAG 2.5.8).
 */
export function findSmallTargets(least: number): Targets {
  const SELECTOR =
    'a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=tab], [role=menuitem], [role=option], [tabindex="0"]'

  interface Target {
    element: Element
    rect: DOMRect
    isSmall: boolean
  }

  function isSeen(element: Element): boolean {
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false
    if (element.closest('[inert]')) return false
    const { width, height, right, bottom } = element.getBoundingClientRect()
    // One hidden outside the page until focused is measured at its focused position.
    return width > 1 && height > 1 && right > 0 && (bottom > 0 || scrollY > 0)
  }

  /** A label is part of its field's target. */
  function rectOf(element: Element): DOMRect {
    const own = element.getBoundingClientRect()
    if (!(element instanceof HTMLInputElement) || !/checkbox|radio/.test(element.type)) return own
    const rects = [own, ...[...(element.labels ?? [])].map((label) => label.getBoundingClientRect())]
    const left = Math.min(...rects.map((rect) => rect.left))
    const top = Math.min(...rects.map((rect) => rect.top))
    const right = Math.max(...rects.map((rect) => rect.right))
    const bottom = Math.max(...rects.map((rect) => rect.bottom))
    return new DOMRect(left, top, right - left, bottom - top)
  }

  function isInSentence(element: Element): boolean {
    if (!element.matches('a, button') || !getComputedStyle(element).display.startsWith('inline')) return false
    let block = element.parentElement
    while (block && getComputedStyle(block).display === 'inline') block = block.parentElement
    const around = (block?.textContent ?? '').replace(element.textContent, '').replace(/\s+/g, ' ').trim()
    return around.length > 2
  }

  const targets: Target[] = [...document.querySelectorAll(SELECTOR)].filter(isSeen).map((element) => {
    const rect = rectOf(element)
    return { element, rect, isSmall: rect.width < least - 0.1 || rect.height < least - 0.1 }
  })

  function isTooNear(small: Target, other: Target): boolean {
    if (other === small || other.element.contains(small.element) || small.element.contains(other.element)) return false
    const x = small.rect.x + small.rect.width / 2
    const y = small.rect.y + small.rect.height / 2
    if (other.isSmall) {
      const far = Math.hypot(other.rect.x + other.rect.width / 2 - x, other.rect.y + other.rect.height / 2 - y)
      return far < least
    }
    const dx = Math.max(other.rect.left - x, 0, x - other.rect.right)
    const dy = Math.max(other.rect.top - y, 0, y - other.rect.bottom)
    return Math.hypot(dx, dy) < least / 2
  }

  const small = targets
    .filter((target) => target.isSmall && !isInSentence(target.element))
    .filter((target) => targets.some((other) => isTooNear(target, other)))
    .map(
      ({ element, rect }) =>
        `${Math.round(rect.width)} x ${Math.round(rect.height)} ${element.outerHTML.slice(0, 120)}`,
    )
  return { count: targets.length, small }
}
