import { useLayoutEffect, useRef, type RefObject } from 'react'

/**
 * For a page that comes later than its address: its heading takes the focus that a change of page left with `main`. A page that makes way gives back the
 * focus that was within it, to whatever comes in its place. Otherwise the focus is left alone, as on the first page of a visit.
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
  // Not -1, from which a menu that has led here takes the focus back (`app/route-change.tsx`).
  heading.tabIndex = -2
  heading.focus({ preventScroll: true })
}
