import { useLayoutEffect, useRef, type RefObject } from 'react'

/**
 * Focus for pages that render after the navigation: the heading takes the focus that the navigation left on `main`. On unmount, focus inside the page
 * returns to `main`. Otherwise focus does not move, as on the first page of a visit.
 */
export function usePageFocus(): RefObject<HTMLDivElement | null> {
  const ref = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const page = ref.current
    const main = document.getElementById('main')
    if (main && document.activeElement === main) focusHeading(page)
    return () => {
      if (page?.contains(document.activeElement)) main?.focus({ preventScroll: true })
    }
  }, [])
  return ref
}

function focusHeading(page: HTMLElement | null): void {
  const heading = page?.querySelector('h1')
  if (!heading) return
  // Not -1: a menu that led here would take the focus back (`app/route-change.tsx`).
  heading.tabIndex = -2
  heading.focus({ preventScroll: true })
}
